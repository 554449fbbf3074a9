import type { Insertable } from 'kysely';
import { type PaperKind, paperKinds, type SchoolKind, TIMED_TEST } from '#contract/values/exam.ts';
import { afterImport } from '#rules/exam/rescore.ts';
import type { RetakeRule } from '#rules/exam/retake.ts';
import { addPoints, pointsOf } from '#rules/exam/scoring.ts';
import { batches } from '#server/db/batches.ts';
import { differs } from '#server/db/differs.ts';
import type { Trx } from '#server/db/open.ts';
import type { Exams } from '#server/db/schema.ts';
import { type ChapterPractice, chapterPractices, type PracticeChapter } from './chapter-practice.ts';
import type { Correction } from './correction-store.ts';
import {
  addExamQuestions,
  compareExamQuestions,
  type ExamQuestion,
  type ListedQuestion,
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

/**
 * Writes one exam; @returns its id and what was done. When what it says changes, the version before is kept for the records
 * that began with it.
 */
async function syncExam(
  trx: Trx,
  packId: number,
  { row: named, questions: wanted }: WantedExam,
  correction: Correction,
  { corrected, voided, retired }: TeachersWord,
): Promise<{ id: number; did: 'added' | 'changed' | 'unchanged' }> {
  const stored = await trx
    .selectFrom('exams')
    .selectAll()
    .where('pack_id', '=', packId)
    .where('slug', '=', named.slug)
    .executeTakeFirst();
  const scored = await withCorrectedScores(trx, wanted, stored?.id ?? 0, corrected);
  const modeOf = ({ questionId }: ExamQuestion) => (voided.has(questionId) ? 'void' : 'key');
  // With gaps, where what is left out has its place.
  const listed = scored.map((question, position) => ({ ...question, position }));
  const isRetired = ({ questionId }: ListedQuestion) => retired.has(questionId);
  const isLeft = (question: ListedQuestion) => leavesPractice(named.kind, modeOf(question));
  const left = listed.filter(isLeft);
  const out = listed.filter(isRetired);
  const questions = listed.filter((question) => !isLeft(question) && !isRetired(question));
  const row = {
    ...named,
    pack_id: packId,
    total_question: questions.length,
    total_score: addPoints(questions.map((question) => pointsOf(modeOf(question), question.score))),
    archived: 0,
  };
  if (!stored) {
    const { id } = await trx.insertInto('exams').values(row).returning('id').executeTakeFirstOrThrow();
    await addExamQuestions(trx, id, questions);
    await keepPlaces(trx, id, left, voided);
    await keepRetiredPlaces(trx, id, out, retired);
    return { id, did: 'added' };
  }
  const { id } = stored;
  await keepPlaces(trx, id, left, voided);
  await keepRetiredPlaces(trx, id, out, retired);
  const list = await compareExamQuestions(trx, id, questions);
  if (list === null && !differs(row, stored)) return { id, did: 'unchanged' };
  if (list !== null || KEPT.some((column) => row[column] !== stored[column])) {
    const corrects = list?.corrects === true || row.partial !== stored.partial;
    await correction.replacePaper(stored, () => readExamQuestions(trx, id), corrects);
  }
  if (list !== null) await writeExamQuestions(trx, id, list);
  await trx.updateTable('exams').set(row).where('id', '=', id).execute();
  return { id, did: 'changed' };
}

/** The questions of a paper with the points that a teacher gave them, as long as the file says what it said before. */
async function withCorrectedScores(
  trx: Trx,
  wanted: readonly ExamQuestion[],
  examId: number,
  corrected: TeachersWord['corrected'],
): Promise<readonly ExamQuestion[]> {
  const own = corrected.get(examId);
  if (own === undefined) return wanted;
  const stored = new Map(await readExamQuestions(trx, examId));
  return wanted.map((question) => {
    const { questionId, score } = question;
    const before = stored.get(questionId);
    const points = own.get(questionId);
    return before === undefined || points === undefined
      ? question
      : { ...question, score: afterImport(before, score, points).value };
  });
}

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
  const said = {
    corrected: await readCorrectedScores(trx, packId),
    voided: await readVoided(trx, packId),
    retired: await readRetired(trx, packId),
  };
  const changes: ExamChanges = { added: 0, changed: 0, unchanged: 0, archived: 0 };
  const keep = new Set<number>();
  for (const exam of exams) {
    // One whose questions were all taken out is not on offer.
    if (exam.questions.length > 0 && exam.questions.every(({ questionId }) => said.retired.has(questionId))) continue;
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
  for (const ids of batches([...touched])) {
    for (const exam of await trx.selectFrom('exams').selectAll().where('id', 'in', ids).execute()) {
      await correction.replacePaper(exam, () => readExamQuestions(trx, exam.id), true);
    }
  }
}
