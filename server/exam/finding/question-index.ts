import type { InOpenExam } from '#rules/exam/reveal.ts';
import { type ChapterFacts, type ChapterRow, growTree, noFacts, type TreeNode } from '#rules/exam/tree.ts';
import type { Query } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';

type Course = { courseId: number; name: string; chapters: TreeNode[] };

/** The chapter tree of a pack for one student: chapter practice (1) or after-class practice (2). */
export async function readTree(
  query: Query,
  asked: { userId: number; packId: number; courseId?: number | undefined; type: number },
  inOpenExam: InOpenExam,
): Promise<Course[]> {
  const { userId, packId } = asked;
  const courses = await query
    .selectFrom('courses')
    .select(['id', 'name'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .$if(asked.courseId !== undefined, (rows) => rows.where('id', '=', asked.courseId ?? 0))
    .orderBy('position')
    .orderBy('id')
    .execute();
  const chapters = await query
    .selectFrom('chapters')
    .select(['id', 'name', 'course_id as courseId', 'parent_id as parentId', 'level'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .orderBy('position')
    .orderBy('id')
    .execute();
  const exams = await readPractices(query, packId, asked.type === 1 ? 'chapter' : 'afterclass');
  const records = await readNewestRecords(query, userId, packId);
  const facts =
    asked.type === 1
      ? await chapterFacts(query, userId, packId, inOpenExam)
      : await afterClassFacts(query, userId, packId, exams, inOpenExam);
  let last: { id: number; chapterId: number } | null = null;
  for (const exam of exams) {
    const own = records.get(exam.id);
    const known = facts.get(exam.chapterId) ?? { ...noFacts };
    // The loader takes one practice for each chapter; of older data the first stands in the tree.
    if (known.examId !== null) continue;
    facts.set(exam.chapterId, { ...known, examId: exam.id, record: own ?? null });
    if (own && (last === null || own.recordId > last.id)) last = { id: own.recordId, chapterId: exam.chapterId };
  }
  return courses.map((course) => {
    const rows: ChapterRow[] = chapters.filter((row) => row.courseId === course.id);
    const here = rows.some((row) => row.id === last?.chapterId) ? (last?.chapterId ?? null) : null;
    return { courseId: course.id, name: course.name, chapters: growTree(packId, rows, facts, here) };
  });
}

interface Practice {
  id: number;
  chapterId: number;
  totalQuestion: number;
}

async function readPractices(query: Query, packId: number, kind: 'chapter' | 'afterclass'): Promise<Practice[]> {
  const rows = await query
    .selectFrom('exams')
    .select(['id', 'chapter_id', 'total_question'])
    .where('pack_id', '=', packId)
    .where('kind', '=', kind)
    .where('archived', '=', 0)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.flatMap((row) =>
    row.chapter_id === null ? [] : [{ id: row.id, chapterId: row.chapter_id, totalQuestion: row.total_question }],
  );
}

/** The newest record of each exam that the student has begun in a pack. */
async function readNewestRecords(
  query: Query,
  userId: number,
  packId: number,
): Promise<Map<number, { recordId: number; open: boolean }>> {
  const rows = await query
    .selectFrom('exam_records')
    .select(['id', 'exam_id', 'submitted_at'])
    .where('user_id', '=', userId)
    .where('pack_id', '=', packId)
    .orderBy('id')
    .execute();
  return new Map(rows.map((row) => [row.exam_id, { recordId: row.id, open: row.submitted_at === null }]));
}

/** Counts by chapter from the questions themselves; every step is an index scan or bounded by what one student did. */
async function chapterFacts(
  query: Query,
  userId: number,
  packId: number,
  inOpenExam: InOpenExam,
): Promise<Map<number, ChapterFacts>> {
  const facts = new Map<number, ChapterFacts>();
  const at = (chapterId: number) => {
    const known = facts.get(chapterId) ?? { ...noFacts };
    facts.set(chapterId, known);
    return known;
  };
  const totals = await query
    .selectFrom('questions')
    .select(({ fn }) => ['chapter_id', fn.countAll<number>().as('count')])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .groupBy('chapter_id')
    .execute();
  for (const row of totals) at(row.chapter_id).totalQuestion = row.count;
  const done = await query
    .selectFrom('exam_records')
    .innerJoin('exam_answers', 'exam_answers.record_id', 'exam_records.id')
    .innerJoin('questions', 'questions.id', 'exam_answers.question_id')
    .select(({ fn }) => ['questions.chapter_id', fn.count<number>('exam_answers.question_id').distinct().as('count')])
    .where('exam_records.user_id', '=', userId)
    .where('exam_records.pack_id', '=', packId)
    .where('exam_answers.answer', '<>', '')
    .where('questions.archived', '=', 0)
    .groupBy('questions.chapter_id')
    .execute();
  for (const row of done) at(row.chapter_id).doneCount = row.count;
  const progress = await query
    .selectFrom('chapter_progress')
    .innerJoin('chapters', 'chapters.id', 'chapter_progress.chapter_id')
    .select(['chapter_progress.chapter_id', 'chapter_progress.graded', 'chapter_progress.right_count'])
    .where('chapter_progress.user_id', '=', userId)
    .where('chapters.pack_id', '=', packId)
    .execute();
  for (const row of progress) Object.assign(at(row.chapter_id), { graded: row.graded, rightCount: row.right_count });
  if (inOpenExam.size > 0) {
    for (const chapterId of await chaptersInOpenExam(query, packId, inOpenExam)) at(chapterId).inOpenExam = true;
  }
  return facts;
}

/** Chapters of a pack that have a question in a scored exam which the student sits right now, or a twin of one. */
async function chaptersInOpenExam(query: Query, packId: number, inOpenExam: InOpenExam): Promise<Set<number>> {
  const found = new Set<number>();
  const ids = [...inOpenExam.keys()];
  for (let from = 0; from < ids.length; from += 1000) {
    const rows = await query
      .selectFrom('questions')
      .select('chapter_id')
      .distinct()
      .where('id', 'in', padded(ids.slice(from, from + 1000)))
      .where('pack_id', '=', packId)
      .execute();
    for (const row of rows) found.add(row.chapter_id);
  }
  return found;
}

/** Counts of after-class practices: their own questions, and the right rate of the newest that was handed in. */
async function afterClassFacts(
  query: Query,
  userId: number,
  packId: number,
  exams: readonly Practice[],
  inOpenExam: InOpenExam,
): Promise<Map<number, ChapterFacts>> {
  const done = await query
    .selectFrom('exams')
    .innerJoin('exam_questions', 'exam_questions.exam_id', 'exams.id')
    .innerJoin('exam_answers', 'exam_answers.question_id', 'exam_questions.question_id')
    .innerJoin('exam_records', 'exam_records.id', 'exam_answers.record_id')
    .select(({ fn }) => ['exams.id', fn.count<number>('exam_answers.question_id').distinct().as('count')])
    .where('exams.pack_id', '=', packId)
    .where('exams.kind', '=', 'afterclass')
    .where('exams.archived', '=', 0)
    .where('exam_records.user_id', '=', userId)
    .where('exam_records.pack_id', '=', packId)
    .where('exam_answers.answer', '<>', '')
    .groupBy('exams.id')
    .execute();
  const counts = new Map(done.map((row) => [row.id, row.count]));
  const closed = await query
    .selectFrom('exam_records')
    .innerJoin('exams', 'exams.id', 'exam_records.exam_id')
    .select(['exam_records.exam_id', 'exam_records.right_count', 'exam_records.wrong_count'])
    .where('exam_records.user_id', '=', userId)
    .where('exam_records.pack_id', '=', packId)
    .where('exam_records.submitted_at', 'is not', null)
    .where('exams.kind', '=', 'afterclass')
    .orderBy('exam_records.id')
    .execute();
  const newest = new Map(closed.map((row) => [row.exam_id, row]));
  const withheld = await examsWith(query, packId, inOpenExam);
  const facts = new Map<number, ChapterFacts>();
  for (const exam of exams) {
    if (facts.has(exam.chapterId)) continue;
    const right = newest.get(exam.id)?.right_count ?? 0;
    facts.set(exam.chapterId, {
      ...noFacts,
      totalQuestion: exam.totalQuestion,
      doneCount: counts.get(exam.id) ?? 0,
      graded: right + (newest.get(exam.id)?.wrong_count ?? 0),
      rightCount: right,
      inOpenExam: withheld.has(exam.id),
    });
  }
  return facts;
}

/** After-class practices that share a question with a scored exam the student sits right now. */
async function examsWith(query: Query, packId: number, inOpenExam: InOpenExam): Promise<Set<number>> {
  const found = new Set<number>();
  const ids = [...inOpenExam.keys()];
  for (let from = 0; from < ids.length; from += 1000) {
    const rows = await query
      .selectFrom('exam_questions')
      .innerJoin('exams', 'exams.id', 'exam_questions.exam_id')
      .select('exams.id')
      .distinct()
      .where('exam_questions.question_id', 'in', ids.slice(from, from + 1000))
      .where('exams.pack_id', '=', packId)
      .where('exams.kind', '=', 'afterclass')
      .execute();
    for (const row of rows) found.add(row.id);
  }
  return found;
}

/** The ids of a chapter and of everything below it; null when the pack has no such chapter. */
export async function chapterWithBelow(query: Query, packId: number, chapterId: number): Promise<number[] | null> {
  const rows = await query
    .selectFrom('chapters')
    .select(['id', 'parent_id'])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .execute();
  if (!rows.some((row) => row.id === chapterId)) return null;
  const wanted = new Set([chapterId]);
  // Three levels (spec §3): the second pass reaches the third.
  for (let pass = 0; pass < 2; pass += 1) {
    for (const row of rows) if (row.parent_id !== null && wanted.has(row.parent_id)) wanted.add(row.id);
  }
  return [...wanted];
}
