import type { Insertable } from 'kysely';
import type { PackPaper } from '#content/pack-reader.ts';
import type { Trx } from '#server/db/open.ts';
import type { Exams } from '#server/db/schema.ts';
import { batches } from './import-questions-store.ts';
import type { TreeIds } from './import-tree-store.ts';

interface Entry {
  questionId: number;
  score: number;
}

/** An exam as it shall be: its row without what is counted from the questions, and the questions in order. */
interface WantedExam {
  row: Omit<Insertable<Exams>, 'pack_id' | 'total_question' | 'total_score' | 'archived' | 'version'>;
  entries: Entry[];
}

/** Writes one exam; @returns its id and whether anything of it was written. A change raises its version. */
async function syncExam(trx: Trx, packId: number, wanted: WantedExam): Promise<{ id: number; changed: boolean }> {
  const row = {
    ...wanted.row,
    pack_id: packId,
    total_question: wanted.entries.length,
    total_score: wanted.entries.reduce((sum, { score }) => sum + score, 0),
    archived: 0,
  };
  const there = await trx
    .selectFrom('exams')
    .selectAll()
    .where('pack_id', '=', packId)
    .where('slug', '=', wanted.row.slug)
    .executeTakeFirst();
  if (!there) {
    const { id } = await trx.insertInto('exams').values(row).returning('id').executeTakeFirstOrThrow();
    await writeEntries(
      trx,
      id,
      wanted.entries.map((entry, position) => ({ ...entry, position })),
    );
    return { id, changed: true };
  }
  const listChanged = await syncEntries(trx, there.id, wanted.entries);
  const changed = listChanged || (Object.keys(row) as (keyof typeof row)[]).some((key) => row[key] !== there[key]);
  if (changed) {
    await trx
      .updateTable('exams')
      .set({ ...row, version: there.version + 1 })
      .where('id', '=', there.id)
      .execute();
  }
  return { id: there.id, changed };
}

async function writeEntries(
  trx: Trx,
  examId: number,
  entries: readonly (Entry & { position: number })[],
): Promise<void> {
  for (const batch of batches(entries, 2000)) {
    await trx
      .insertInto('exam_questions')
      .values(
        batch.map(({ questionId, score, position }) => ({ exam_id: examId, question_id: questionId, position, score })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['exam_id', 'question_id'])
          .doUpdateSet((set) => ({ position: set.ref('excluded.position'), score: set.ref('excluded.score') })),
      )
      .execute();
  }
}

/** Brings the list of an exam's questions to what it shall be, writing only what differs. */
async function syncEntries(trx: Trx, examId: number, wanted: readonly Entry[]): Promise<boolean> {
  const there = await trx
    .selectFrom('exam_questions')
    .select(['question_id', 'position', 'score'])
    .where('exam_id', '=', examId)
    .execute();
  const left = new Map(there.map((one) => [one.question_id, one]));
  const write = wanted.flatMap(({ questionId, score }, position) => {
    const known = left.get(questionId);
    left.delete(questionId);
    return known && known.position === position && known.score === score ? [] : [{ questionId, score, position }];
  });
  if (there.length > 0 && (write.length > 0 || left.size > 0)) await freezeOpenRecords(trx, examId, there);
  for (const ids of batches([...left.keys()])) {
    await trx.deleteFrom('exam_questions').where('exam_id', '=', examId).where('question_id', 'in', ids).execute();
  }
  await writeEntries(trx, examId, write);
  return write.length > 0 || left.size > 0;
}

/**
 * A record in progress that shows its paper in the paper's own order keeps the order it began with (decisions §3 "with the
 * same question and option order"): what is new stands at its end, what the school took away is gone.
 */
async function freezeOpenRecords(
  trx: Trx,
  examId: number,
  before: readonly { question_id: number; position: number }[],
): Promise<void> {
  const order = [...before].sort((a, b) => a.position - b.position || a.question_id - b.question_id);
  await trx
    .updateTable('exam_records')
    .set({ layout: JSON.stringify({ order: order.map((one) => one.question_id) }) })
    .where('exam_id', '=', examId)
    .where('submitted_at', 'is', null)
    .where('layout', 'is', null)
    .execute();
}

/** Writes the papers of a pack; those it no longer has are archived. @returns how many exams were written or archived */
export async function syncPapers(
  trx: Trx,
  packId: number,
  papers: readonly PackPaper[],
  tree: TreeIds,
  questionIds: ReadonlyMap<string, number>,
): Promise<number> {
  let changed = 0;
  const keep = new Set<number>();
  for (const [position, paper] of papers.entries()) {
    const idOf = (key: string) => {
      const id = questionIds.get(key);
      if (id === undefined) throw new Error(`the question ${key} of paper ${paper.key} was not stored`);
      return id;
    };
    const written = await syncExam(trx, packId, {
      row: {
        course_id: paper.course === null ? null : (tree.courses.get(paper.course) ?? null),
        chapter_id: paper.chapter === null ? null : (tree.chapters.get(paper.chapter) ?? null),
        slug: paper.key,
        kind: paper.kind,
        name: paper.name,
        year: paper.year,
        exam_time: paper.minutes,
        test_type: paper.kind === 'timed' ? 11 : 0,
        partial: paper.partial,
        shuffle_questions: paper.shuffleQuestions ? 1 : 0,
        shuffle_options: paper.shuffleOptions ? 1 : 0,
        pass_score: paper.passScore,
        sections: JSON.stringify(
          paper.sections.map(({ title, questions }) => ({ title, questionIds: questions.map(({ key }) => idOf(key)) })),
        ),
        position: position + 1,
      },
      entries: paper.sections.flatMap(({ questions }) =>
        questions.map(({ key, score }) => ({ questionId: idOf(key), score })),
      ),
    });
    keep.add(written.id);
    if (written.changed) changed += 1;
  }
  return changed + (await archiveExams(trx, packId, (kind) => kind !== 'chapter', keep));
}

async function archiveExams(
  trx: Trx,
  packId: number,
  ofKind: (kind: string) => boolean,
  keep: ReadonlySet<number>,
): Promise<number> {
  const there = await trx
    .selectFrom('exams')
    .select(['id', 'kind'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .execute();
  const gone = there.filter(({ id, kind }) => ofKind(kind) && !keep.has(id)).map(({ id }) => id);
  for (const ids of batches(gone)) {
    await trx
      .updateTable('exams')
      .set((one) => ({ archived: 1, version: one('version', '+', 1) }))
      .where('id', 'in', ids)
      .execute();
  }
  return gone.length;
}

interface ChapterNode {
  id: number;
  course_id: number;
  slug: string;
  name: string;
  below: ChapterNode[];
  own: Entry[];
}

/**
 * Makes the chapter practice of a pack what its chapters and questions are now: every chapter with questions in it or
 * below it has one, in the order of the tree. @returns how many exams were written or archived
 */
export async function syncChapterPractice(trx: Trx, packId: number): Promise<number> {
  const chapters = await trx
    .selectFrom('chapters')
    .select(['id', 'course_id', 'parent_id', 'slug', 'name'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .orderBy('position')
    .orderBy('id')
    .execute();
  const nodes = new Map<number, ChapterNode>(chapters.map((row) => [row.id, { ...row, below: [], own: [] }]));
  const roots: ChapterNode[] = [];
  for (const { id, parent_id } of chapters) {
    const node = nodes.get(id);
    if (node) (nodes.get(parent_id ?? 0)?.below ?? roots).push(node);
  }
  const questions = await trx
    .selectFrom('questions')
    .select(['id', 'chapter_id', 'score'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .orderBy('position')
    .orderBy('id')
    .execute();
  for (const { id, chapter_id, score } of questions) nodes.get(chapter_id)?.own.push({ questionId: id, score });

  let changed = 0;
  let position = 0;
  const keep = new Set<number>();
  async function write(node: ChapterNode): Promise<Entry[]> {
    position += 1;
    const at = position;
    const entries = [...node.own];
    for (const child of node.below) for (const entry of await write(child)) entries.push(entry);
    if (entries.length === 0) return entries;
    const written = await syncExam(trx, packId, { row: practiceRow(node, at), entries });
    keep.add(written.id);
    if (written.changed) changed += 1;
    return entries;
  }
  for (const root of roots) await write(root);
  return changed + (await archiveExams(trx, packId, (kind) => kind === 'chapter', keep));
}

const practiceRow = (node: ChapterNode, position: number): WantedExam['row'] => ({
  course_id: node.course_id,
  chapter_id: node.id,
  slug: `chapter:${node.slug}`,
  kind: 'chapter',
  name: node.name,
  year: null,
  exam_time: null,
  test_type: 0,
  partial: null,
  shuffle_questions: 0,
  shuffle_options: 0,
  pass_score: null,
  sections: '[]',
  position,
});

/** Raises the version of every exam that has one of these questions, or a question of one of these cases. */
export async function raiseVersions(
  trx: Trx,
  questionIds: readonly number[],
  caseIds: readonly number[],
): Promise<void> {
  const raise = (exams: readonly number[]) =>
    trx
      .updateTable('exams')
      .set((one) => ({ version: one('version', '+', 1) }))
      .where('id', 'in', exams)
      .execute();
  const touched = new Set<number>();
  for (const ids of batches(questionIds)) {
    const rows = await trx
      .selectFrom('exam_questions')
      .select('exam_id')
      .distinct()
      .where('question_id', 'in', ids)
      .execute();
    for (const { exam_id } of rows) touched.add(exam_id);
  }
  for (const ids of batches(caseIds)) {
    const rows = await trx
      .selectFrom('exam_questions')
      .innerJoin('questions', 'questions.id', 'exam_questions.question_id')
      .select('exam_questions.exam_id')
      .distinct()
      .where('questions.case_id', 'in', ids)
      .execute();
    for (const { exam_id } of rows) touched.add(exam_id);
  }
  for (const ids of batches([...touched])) await raise(ids);
}
