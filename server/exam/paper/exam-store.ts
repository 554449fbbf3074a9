import type { Insertable, Selectable } from 'kysely';
import { type PaperKind, paperKinds, type SchoolKind, TIMED_TEST } from '#contract/values/exam.ts';
import { afterImport } from '#rules/exam/rescore.ts';
import type { RetakeRule } from '#rules/exam/retake.ts';
import { addPoints, pointsOf } from '#rules/exam/scoring.ts';
import { batches } from '#server/db/batches.ts';
import { differs } from '#server/db/differs.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { Exams } from '#server/db/schema.ts';
import { type ChapterPractice, chapterPractices, type PracticeChapter } from './chapter-practice.ts';
import type { Correction } from './correction-store.ts';
import {
  addExamQuestions,
  compareExamQuestions,
  type ExamQuestion,
  type ListedQuestion,
  listPieces,
  readExamQuestions,
  writeExamQuestions,
} from './exam-question-store.ts';
import { readPlacedQuestions } from './question-store.ts';
import { keepRetiredPlaces, readRetired } from './retired-store.ts';
import { keepPlaces, leavesPractice, readCorrectedScores, readVoided } from './teacher-correction-store.ts';

/** A paper as it shall be: what a school brings in, as against the chapter practice that follows from the questions. */
export interface WantedPaper {
  /** Its stable key in the pack. */
  key: string;
  kind: PaperKind;
  name: string;
  courseId: number | null;
  chapterId: number | null;
  year: number | null;
  /** null: no limit. */
  minutes: number | null;
  /** Share of the points for a proper subset of the right letters; null: exact or nothing. */
  partial: number | null;
  shuffleQuestions: boolean;
  shuffleOptions: boolean;
  passScore: number | null;
  retake: RetakeRule;
  /** Its questions are kept out of every practice. */
  reserved: boolean;
  sections: readonly { title: string; questions: readonly ExamQuestion[] }[];
}

/** An exam as it shall be: its row without what is counted from the questions, and the questions in order. */
interface WantedExam {
  row: Omit<Insertable<Exams>, 'pack_id' | 'total_question' | 'total_score' | 'archived' | 'version'>;
  questions: readonly ExamQuestion[];
}

/** What became of the exams of a pack. */
export interface ExamChanges {
  added: number;
  changed: number;
  unchanged: number;
  archived: number;
}

/** What a record keeps of its exam's row (`paper_revisions`). Where the exam stands in the pack goes with the pack. */
const KEPT = [
  'kind',
  'name',
  'test_type',
  'exam_time',
  'partial',
  'total_question',
  'total_score',
  'sections',
] as const satisfies readonly (keyof Exams)[];

/** What teachers said of the questions of a pack, as far as the lists of its papers have to keep it. */
interface TeachersWord {
  corrected: Awaited<ReturnType<typeof readCorrectedScores>>;
  /** Questions that count for nothing, with the correction that made them so. */
  voided: Awaited<ReturnType<typeof readVoided>>;
  /** Questions that a person has taken out. */
  retired: Awaited<ReturnType<typeof readRetired>>;
}

/** An exam as it shall be beside what is stored of it. */
interface PlannedExam {
  stored: Selectable<Exams> | undefined;
  row: Omit<Insertable<Exams>, 'version'> & Pick<Selectable<Exams>, 'archived'>;
  questions: readonly ListedQuestion[];
  /** Questions that it names and does not offer. */
  void: readonly ListedQuestion[];
  retired: readonly ListedQuestion[];
}

async function planExam(
  query: Query,
  packId: number,
  { row: named, questions: wanted }: WantedExam,
  { corrected, voided, retired }: TeachersWord,
): Promise<PlannedExam> {
  const stored = await query
    .selectFrom('exams')
    .selectAll()
    .where('pack_id', '=', packId)
    .where('slug', '=', named.slug)
    .executeTakeFirst();
  const scored = await withCorrectedScores(query, wanted, stored?.id ?? 0, corrected);
  const modeOf = ({ questionId }: ExamQuestion) => (voided.has(questionId) ? 'void' : 'key');
  // With gaps, where what is left out has its place.
  const listed = scored.map((question, position) => ({ ...question, position }));
  const isRetired = ({ questionId }: ListedQuestion) => retired.has(questionId);
  const isLeft = (question: ListedQuestion) => leavesPractice(named.kind, modeOf(question));
  const questions = listed.filter((question) => !isLeft(question) && !isRetired(question));
  const row = {
    ...named,
    pack_id: packId,
    total_question: questions.length,
    total_score: addPoints(questions.map((question) => pointsOf(modeOf(question), question.score))),
    archived: 0,
  };
  return { stored, row, questions, void: listed.filter(isLeft), retired: listed.filter(isRetired) };
}

const keptDiffers = (row: PlannedExam['row'], stored: Selectable<Exams>) =>
  KEPT.some((column) => row[column] !== stored[column]);

/**
 * Writes one exam; @returns its id and what was done. When what it says changes, the version before is kept for the records
 * that began with it.
 */
async function syncExam(
  trx: Trx,
  packId: number,
  wanted: WantedExam,
  correction: Correction,
  said: TeachersWord,
): Promise<{ id: number; did: 'added' | 'changed' | 'unchanged' }> {
  const plan = await planExam(trx, packId, wanted, said);
  const { stored, row, questions } = plan;
  if (!stored) {
    const { id } = await trx.insertInto('exams').values(row).returning('id').executeTakeFirstOrThrow();
    await addExamQuestions(trx, id, questions);
    await keepPlaces(trx, id, plan.void, said.voided);
    await keepRetiredPlaces(trx, id, plan.retired, said.retired);
    return { id, did: 'added' };
  }
  const { id } = stored;
  await keepPlaces(trx, id, plan.void, said.voided);
  await keepRetiredPlaces(trx, id, plan.retired, said.retired);
  const list = await compareExamQuestions(trx, id, questions);
  if (list === null && !differs(row, stored)) return { id, did: 'unchanged' };
  if (list !== null || keptDiffers(row, stored)) {
    const corrects = list?.corrects === true || row.partial !== stored.partial;
    await correction.replacePaper(stored, () => readExamQuestions(trx, id), corrects);
  }
  if (list !== null) await writeExamQuestions(trx, id, list);
  await trx.updateTable('exams').set(row).where('id', '=', id).execute();
  return { id, did: 'changed' };
}

/** The questions of a paper with the points that a teacher gave them, as long as the file says what it said before. */
async function withCorrectedScores(
  query: Query,
  wanted: readonly ExamQuestion[],
  examId: number,
  corrected: TeachersWord['corrected'],
): Promise<readonly ExamQuestion[]> {
  const own = corrected.get(examId);
  if (own === undefined) return wanted;
  const stored = new Map(await readExamQuestions(query, examId));
  return wanted.map((question) => {
    const { questionId, score } = question;
    const before = stored.get(questionId);
    const points = own.get(questionId);
    return before === undefined || points === undefined
      ? question
      : { ...question, score: afterImport(before, score, points).value };
  });
}

const readTeachersWord = async (query: Query, packId: number): Promise<TeachersWord> => ({
  corrected: await readCorrectedScores(query, packId),
  voided: await readVoided(query, packId),
  retired: await readRetired(query, packId),
});

/** One whose questions were all taken out is not on offer. */
const isAllRetired = ({ questions }: WantedExam, { retired }: TeachersWord) =>
  questions.length > 0 && questions.every(({ questionId }) => retired.has(questionId));

/**
 * Writes exams of a pack and archives the others of these kinds.
 */
async function syncExams(
  trx: Trx,
  packId: number,
  exams: readonly WantedExam[],
  kinds: readonly SchoolKind[],
  correction: Correction,
): Promise<ExamChanges> {
  await correction.lockPapers();
  const said = await readTeachersWord(trx, packId);
  const changes: ExamChanges = { added: 0, changed: 0, unchanged: 0, archived: 0 };
  const keep = new Set<number>();
  for (const exam of exams) {
    if (isAllRetired(exam, said)) continue;
    const { id, did } = await syncExam(trx, packId, exam, correction, said);
    keep.add(id);
    changes[did] += 1;
  }
  changes.archived = await archiveExams(trx, packId, kinds, keep);
  return changes;
}

async function archiveExams(
  trx: Trx,
  packId: number,
  kinds: readonly SchoolKind[],
  keep: ReadonlySet<number>,
): Promise<number> {
  const stored = await trx
    .selectFrom('exams')
    .select('id')
    .where('pack_id', '=', packId)
    .where('kind', 'in', kinds)
    .where('archived', '=', 0)
    .execute();
  const gone = stored.filter(({ id }) => !keep.has(id)).map(({ id }) => id);
  for (const ids of batches(gone)) {
    // Its version stays: what it says is the same, and records in progress go on.
    await trx.updateTable('exams').set({ archived: 1 }).where('id', 'in', ids).execute();
  }
  return gone.length;
}

/** Writes the papers of a pack in their order; those it no longer has are archived. */
export function syncPapers(
  trx: Trx,
  packId: number,
  papers: readonly WantedPaper[],
  correction: Correction,
): Promise<ExamChanges> {
  return syncExams(trx, packId, papers.map(paperExam), paperKinds, correction);
}

const paperExam = (paper: WantedPaper, at: number): WantedExam => ({
  row: {
    course_id: paper.courseId,
    chapter_id: paper.chapterId,
    slug: paper.key,
    kind: paper.kind,
    name: paper.name,
    year: paper.year,
    exam_time: paper.minutes,
    test_type: paper.kind === 'timed' ? TIMED_TEST : 0,
    partial: paper.partial,
    shuffle_questions: paper.shuffleQuestions ? 1 : 0,
    shuffle_options: paper.shuffleOptions ? 1 : 0,
    pass_score: paper.passScore,
    most_attempts: paper.retake.most,
    retake_after: paper.retake.after,
    counted_record: paper.retake.counts,
    reserved: paper.reserved ? 1 : 0,
    sections: JSON.stringify(
      paper.sections.map(({ title, questions }) => ({
        title,
        questionIds: questions.map(({ questionId }) => questionId),
      })),
    ),
    position: at + 1,
  },
  questions: paper.sections.flatMap(({ questions }) => questions),
});

/**
 * Makes the chapter practice of a pack what its chapters and questions are now. Called after questions, chapters or papers were
 * written: a reserved paper keeps its questions out of it. @param chapters the pack's chapters (the course feature knows them)
 */
export async function syncChapterPractice(
  trx: Trx,
  packId: number,
  chapters: readonly PracticeChapter[],
  correction: Correction,
): Promise<ExamChanges> {
  const practices = chapterPractices(chapters, await readPlacedQuestions(trx, packId));
  return syncExams(trx, packId, practices.map(practiceExam), ['chapter'], correction);
}

/** Something that one transaction can do, beside other small things. */
export interface Piece {
  /** Rows that it writes, about. */
  rows: number;
  write: (trx: Trx, correction: Correction) => Promise<void>;
}

/**
 * What brings the chapter practice of a pack to what `syncChapterPractice` makes of it, for an import that is written in many turns
 * (decision 072): pieces that nobody sees, since new practices are hidden, and those on offer are frozen before their lists are written.
 * Gives each piece when those before it are written.
 * @returns what the import does at its end, when all practices go on at once
 */
export async function* practicePieces(
  query: Query,
  packId: number,
  chapters: readonly PracticeChapter[],
): AsyncGenerator<Piece, (trx: Trx) => Promise<void>> {
  const said = await readTeachersWord(query, packId);
  /** Those that are new get their number when they are written. */
  const standing: { id: number; row: PlannedExam['row'] | null }[] = [];
  for (const practice of chapterPractices(chapters, await readPlacedQuestions(query, packId))) {
    const wanted = practiceExam(practice);
    if (isAllRetired(wanted, said)) continue;
    const plan = await planExam(query, packId, wanted, said);
    const { stored, row, questions } = plan;
    const exam = { id: stored?.id ?? 0, row: !stored || differs(row, stored) ? row : null };
    standing.push(exam);
    const list = stored ? await compareExamQuestions(query, stored.id, questions) : { write: questions, gone: [] };
    if (!stored) {
      const hidden = { ...row, archived: 1 };
      yield {
        rows: 1,
        write: async (trx) => {
          exam.id = (await trx.insertInto('exams').values(hidden).returning('id').executeTakeFirstOrThrow()).id;
        },
      };
    } else if (list !== null || keptDiffers(row, stored)) {
      const before = await readExamQuestions(query, stored.id);
      const corrects = list !== null && 'corrects' in list && list.corrects;
      yield {
        rows: before.length,
        write: (_, correction) => correction.replacePaper(stored, async () => before, corrects),
      };
    }
    if (said.voided.size > 0 || said.retired.size > 0)
      yield {
        rows: said.voided.size + said.retired.size,
        write: async (trx) => {
          await keepPlaces(trx, exam.id, plan.void, said.voided);
          await keepRetiredPlaces(trx, exam.id, plan.retired, said.retired);
        },
      };
    for (const piece of list === null ? [] : listPieces(list))
      yield {
        rows: piece.write.length + piece.gone.length,
        write: (trx) => writeExamQuestions(trx, exam.id, piece),
      };
  }
  return async (trx) => {
    const keep = new Set(standing.map(({ id }) => id));
    await archiveExams(trx, packId, ['chapter'], keep);
    const rows = standing.flatMap(({ id, row }) => (row === null ? [] : [{ ...row, id }]));
    for (const some of batches(rows)) await writeRows(trx, some);
  };
}

/** Writes the rows of many exams that are there. */
async function writeRows(trx: Trx, rows: readonly (PlannedExam['row'] & { id: number })[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { id: _, pack_id: __, slug: ___, kind: ____, ...columns } = first;
  await trx
    .insertInto('exams')
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(({ ref }) =>
          Object.fromEntries(
            Object.keys(columns).map((column) => [column, ref(`excluded.${column as keyof typeof columns}`)]),
          ),
        ),
    )
    .execute();
}

const practiceExam = ({ chapter, position, questions }: ChapterPractice): WantedExam => ({
  row: {
    course_id: chapter.courseId,
    chapter_id: chapter.id,
    slug: `chapter:${chapter.slug}`,
    kind: 'chapter',
    name: chapter.name,
    year: null,
    exam_time: null,
    test_type: 0,
    partial: null,
    shuffle_questions: 0,
    shuffle_options: 0,
    pass_score: null,
    sections: '[]',
    position,
  },
  questions,
});

/** The exams that list one of these questions. */
export async function examsOf(query: Query, questionIds: readonly number[]): Promise<Set<number>> {
  const found = new Set<number>();
  for (const ids of batches(questionIds)) {
    const rows = await query
      .selectFrom('exam_questions')
      .select('exam_id')
      .distinct()
      .where('question_id', 'in', ids)
      .execute();
    for (const { exam_id } of rows) found.add(exam_id);
  }
  return found;
}

/** How many questions these exams list, by exam. */
export async function countListed(query: Query, examIds: readonly number[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const ids of batches(examIds))
    for (const row of await query.selectFrom('exams').select(['id', 'total_question']).where('id', 'in', ids).execute())
      counts.set(row.id, row.total_question);
  return counts;
}

/**
 * Raises the version of every exam that has one of these questions, or a question of one of these cases. Called after
 * questions, cases and lists were written.
 */
export async function raiseVersions(
  trx: Trx,
  questionIds: readonly number[],
  caseIds: readonly number[],
  correction: Correction,
): Promise<void> {
  const touched = await examsOf(trx, questionIds);
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
  await raiseExams(trx, touched, correction);
}

/** Raises the version of exams of which a question reads otherwise. Those that an import has frozen already are passed over. */
export async function raiseExams(trx: Trx, examIds: Iterable<number>, correction: Correction): Promise<void> {
  const touched = [...examIds].filter((id) => correction.isToFreeze(id, true));
  for (const ids of batches(touched)) {
    for (const exam of await trx.selectFrom('exams').selectAll().where('id', 'in', ids).execute()) {
      await correction.replacePaper(exam, () => readExamQuestions(trx, exam.id), true);
    }
  }
}
