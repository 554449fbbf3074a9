import type { Insertable, Selectable } from 'kysely';
import { CONTENT_KEY } from '#content/question/content-key.ts';
import { type PaperKind, paperKinds, schoolKinds, TIMED_TEST } from '#contract/values/exam.ts';
import { afterImport } from '#rules/exam/rescore.ts';
import type { RetakeRule } from '#rules/exam/retake.ts';
import { addPoints, pointsOf } from '#rules/exam/scoring.ts';
import { batches } from '#server/db/batches.ts';
import { differs } from '#server/db/differs.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { Exams } from '#server/db/schema.ts';
import { aroundChapter, type ChapterPractice, chapterPractices, type PracticeChapter } from './chapter-practice.ts';
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
import { leavesPractice, readCorrectedScores } from './teacher-correction-store.ts';
import { keepPlaces, readVoided } from './void-question-store.ts';

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

/** What people said of the questions of a pack, as far as the lists of its papers have to keep it. */
export interface TeachersWord {
  corrected: Awaited<ReturnType<typeof readCorrectedScores>>;
  /** Questions that count for nothing, with the correction that made them so. */
  voided: Awaited<ReturnType<typeof readVoided>>;
  /** Questions that a person has taken out. */
  retired: Awaited<ReturnType<typeof readRetired>>;
}

/** What teachers and `question retire` said of the questions of a pack. */
export async function readTeachersWord(query: Query, packId: number): Promise<TeachersWord> {
  return {
    corrected: await readCorrectedScores(query, packId),
    voided: await readVoided(query, packId),
    retired: await readRetired(query, packId),
  };
}

/** An exam as it is to be stored. */
export interface ExamDraft {
  row: WantedExam['row'] & { pack_id: number; total_question: number; total_score: number; archived: number };
  questions: ListedQuestion[];
  /** Void questions that it leaves out, with their places. */
  left: ListedQuestion[];
  /** Retired ones. */
  out: ListedQuestion[];
}

/** Makes of an exam what is to be stored, with what people said of its questions. @param examId 0: it is new */
export async function draftExam(
  query: Query,
  packId: number,
  { row: named, questions: wanted }: WantedExam,
  examId: number,
  { corrected, voided, retired }: TeachersWord,
): Promise<ExamDraft> {
  const scored = await withCorrectedScores(query, wanted, examId, corrected);
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
  return { row, questions, left, out };
}

/** Whether what a record keeps of its exam's row is another one. */
export const isOtherPaper = (row: ExamDraft['row'], stored: Selectable<Exams>): boolean =>
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
  const { voided, retired } = said;
  const stored = await trx
    .selectFrom('exams')
    .selectAll()
    .where('pack_id', '=', packId)
    .where('slug', '=', wanted.row.slug)
    .executeTakeFirst();
  const { row, questions, left, out } = await draftExam(trx, packId, wanted, stored?.id ?? 0, said);
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
  if (list !== null || isOtherPaper(row, stored)) {
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

/** What tells whether an exam that is not wanted any more belongs to those that were written. */
type GoneExam = Pick<Selectable<Exams>, 'kind' | 'slug' | 'chapter_id'>;

/**
 * Writes exams of a pack and archives others.
 * @param isGone which of the others, where they are on offer
 */
async function syncExams(
  trx: Trx,
  packId: number,
  exams: readonly WantedExam[],
  isGone: (stored: GoneExam) => boolean,
  correction: Correction,
): Promise<ExamChanges> {
  await correction.lockPapers();
  const said = await readTeachersWord(trx, packId);
  const changes: ExamChanges = { added: 0, changed: 0, unchanged: 0, archived: 0 };
  const keep = new Set<number>();
  for (const exam of exams) {
    // One whose questions were all taken out is not on offer.
    if (exam.questions.length > 0 && exam.questions.every(({ questionId }) => said.retired.has(questionId))) continue;
    const { id, did } = await syncExam(trx, packId, exam, correction, said);
    keep.add(id);
    changes[did] += 1;
  }
  changes.archived = await archiveExams(trx, packId, isGone, keep);
  return changes;
}

async function archiveExams(
  trx: Trx,
  packId: number,
  isGone: Parameters<typeof syncExams>[3],
  keep: ReadonlySet<number>,
): Promise<number> {
  const stored = await trx
    .selectFrom('exams')
    .select(['id', 'kind', 'slug', 'chapter_id'])
    .where('pack_id', '=', packId)
    .where('kind', 'in', schoolKinds)
    .where('archived', '=', 0)
    .execute();
  const gone = stored.filter((exam) => !keep.has(exam.id) && isGone(exam)).map(({ id }) => id);
  for (const ids of batches(gone)) {
    // Its version stays: what it says is the same, and records in progress go on.
    await trx.updateTable('exams').set({ archived: 1 }).where('id', 'in', ids).execute();
  }
  return gone.length;
}

const isPaper = ({ kind }: Pick<Selectable<Exams>, 'kind'>) => paperKinds.some((known) => known === kind);
/** Keys of a pack's folder hold no colon, so neither touches the papers of the other. */
const isOfSheet = ({ slug }: Pick<Selectable<Exams>, 'slug'>) => slug.startsWith(CONTENT_KEY);

/** Writes the papers of a pack's folder in their order; those it no longer has are archived. Papers of spreadsheets are left alone. */
export function syncPapers(
  trx: Trx,
  packId: number,
  papers: readonly WantedPaper[],
  correction: Correction,
): Promise<ExamChanges> {
  const exams = papers.map((paper, at) => paperExam(paper, at + 1));
  return syncExams(trx, packId, exams, (exam) => isPaper(exam) && !isOfSheet(exam), correction);
}

/** Papers of spreadsheets stand behind those of the folder, whose places count from 1 with each import. */
const SHEET_PLACES = 100_000;

/**
 * Writes papers of a spreadsheet; new ones stand behind those that are there.
 * @param gone keys of those that are archived
 */
export async function syncSheetPapers(
  trx: Trx,
  packId: number,
  papers: readonly WantedPaper[],
  gone: ReadonlySet<string>,
  correction: Correction,
): Promise<ExamChanges> {
  const stored = await trx
    .selectFrom('exams')
    .select(['slug', 'position'])
    .where('pack_id', '=', packId)
    .where('slug', 'like', `${CONTENT_KEY}%`)
    .execute();
  const places = new Map(stored.map(({ slug, position }) => [slug, position]));
  let last = Math.max(SHEET_PLACES, ...places.values());
  const exams = papers.map((paper) => {
    const known = places.get(paper.key);
    if (known === undefined) last += 1;
    return paperExam(paper, known ?? last);
  });
  return syncExams(trx, packId, exams, ({ slug }) => gone.has(slug), correction);
}

/** A paper of the school as it is stored. */
export interface StoredPaper {
  key: string;
  name: string;
  courseId: number | null;
  archived: boolean;
  /** It came from a spreadsheet. */
  ofSheet: boolean;
  totalQuestion: number;
  totalScore: number;
}

/** The papers of a pack, archived ones too, in their order. */
export async function readPapers(query: Query, packId: number): Promise<StoredPaper[]> {
  const rows = await query
    .selectFrom('exams')
    .select(['slug', 'name', 'course_id', 'archived', 'total_question', 'total_score'])
    .where('pack_id', '=', packId)
    .where('kind', 'in', paperKinds)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    key: row.slug,
    name: row.name,
    courseId: row.course_id,
    archived: row.archived === 1,
    ofSheet: isOfSheet(row),
    totalQuestion: row.total_question,
    totalScore: row.total_score,
  }));
}

/** Gives a paper of a spreadsheet another key: its school has given it one of its own. */
export async function rekeyPaper(trx: Trx, packId: number, from: string, to: string): Promise<void> {
  await trx.updateTable('exams').set({ slug: to }).where('pack_id', '=', packId).where('slug', '=', from).execute();
}

/** Questions of spreadsheets that no file has any more and that papers on offer still list: there they would be without anybody having said so. */
export async function readGoneInPapers(
  query: Query,
  packId: number,
  most: number,
): Promise<{ key: string; schoolKey: string | null; paper: string }[]> {
  const rows = await query
    .selectFrom('exam_questions')
    .innerJoin('exams', 'exams.id', 'exam_questions.exam_id')
    .innerJoin('questions', 'questions.id', 'exam_questions.question_id')
    .select(['questions.slug', 'questions.school_key', 'exams.name'])
    .where('exams.pack_id', '=', packId)
    .where('exams.kind', 'in', paperKinds)
    .where('exams.archived', '=', 0)
    .where('questions.archived', '=', 1)
    .where('questions.retired', '=', '')
    .where('questions.slug', 'like', `${CONTENT_KEY}%`)
    .orderBy('questions.id')
    .limit(most)
    .execute();
  return rows.map(({ slug, school_key, name }) => ({ key: slug, schoolKey: school_key, paper: name }));
}

/** Which of these questions papers on offer list, with the paper. @param except keys of papers that do not count */
export async function findInPapers(
  query: Query,
  packId: number,
  { keys, except, most }: { keys: readonly string[]; except: ReadonlySet<string>; most: number },
): Promise<{ key: string; schoolKey: string | null; paper: string }[]> {
  const found: { key: string; schoolKey: string | null; paper: string }[] = [];
  for (const some of batches(keys)) {
    const rows = await query
      .selectFrom('questions')
      .innerJoin('exam_questions', 'exam_questions.question_id', 'questions.id')
      .innerJoin('exams', 'exams.id', 'exam_questions.exam_id')
      .select(['questions.slug', 'questions.school_key', 'exams.name', 'exams.slug as exam'])
      .where('questions.pack_id', '=', packId)
      .where('questions.slug', 'in', some)
      .where('questions.retired', '=', '')
      .where('exams.kind', 'in', paperKinds)
      .where('exams.archived', '=', 0)
      .orderBy('questions.id')
      .execute();
    for (const { slug, school_key, name, exam } of rows)
      if (!except.has(exam)) found.push({ key: slug, schoolKey: school_key, paper: name });
    if (found.length >= most) break;
  }
  return found.slice(0, most);
}

const paperExam = (paper: WantedPaper, position: number): WantedExam => ({
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
    position,
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
  return syncExams(trx, packId, practices.map(practiceExam), ({ kind }) => kind === 'chapter', correction);
}

/** Does the same where one question of a chapter came or went: the practices of this chapter and of those that it stands in. */
export async function syncPracticesAbove(
  trx: Trx,
  packId: number,
  chapters: readonly PracticeChapter[],
  chapterId: number,
  correction: Correction,
): Promise<ExamChanges> {
  const { above, among } = aroundChapter(chapters, chapterId);
  // Its chapter was archived: it has no practice.
  if (above.size === 0) return { added: 0, changed: 0, unchanged: 0, archived: 0 };
  const practices = chapterPractices(chapters, await readPlacedQuestions(trx, packId, among)).filter(({ chapter }) =>
    above.has(chapter.id),
  );
  const isGone = ({ kind, chapter_id }: GoneExam) => kind === 'chapter' && above.has(chapter_id ?? 0);
  return syncExams(trx, packId, practices.map(practiceExam), isGone, correction);
}

/** The practice of a chapter as an exam. */
export const practiceExam = ({ chapter, position, questions }: ChapterPractice): WantedExam => ({
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
