import type { Static } from 'typebox';
import type { Question as QuestionSchema } from '#contract/exam.ts';
import {
  type ExamKind,
  type PracticeKind,
  paperKinds,
  type SchoolKind,
  schoolKinds,
  takerClosings,
} from '#contract/values/exam.ts';
import type { QuestionType } from '#rules/exam/answer.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';
import { readTeacherIds } from '#server/user/store.ts';
import { reservedQuestions } from '../paper/reserved-store.ts';

/** A practice that stands at a chapter. */
export interface Practice {
  id: number;
  name: string;
  chapterId: number;
  totalQuestion: number;
}

/** The practices on offer of a pack, in order. */
export async function listPractices(query: Query, packId: number, kind: PracticeKind): Promise<Practice[]> {
  const rows = await query
    .selectFrom('exams')
    .select(['id', 'name', 'chapter_id', 'total_question'])
    .where('pack_id', '=', packId)
    .where('kind', '=', kind)
    .where('archived', '=', 0)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.flatMap((row) =>
    row.chapter_id === null
      ? []
      : [{ id: row.id, name: row.name, chapterId: row.chapter_id, totalQuestion: row.total_question }],
  );
}

/** The newest record of each exam that the student has begun in a pack, by exam. */
export async function readNewestRecords(
  query: Query,
  userId: number,
  packId: number,
): Promise<Map<number, { recordId: number; open: boolean }>> {
  const newest = query
    .selectFrom('exam_records')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('user_id', '=', userId)
    .where('pack_id', '=', packId)
    .groupBy('exam_id');
  const rows = await query
    .selectFrom('exam_records')
    .select(['id', 'exam_id', 'submitted_at'])
    .where('id', 'in', newest)
    .execute();
  return new Map(rows.map((row) => [row.exam_id, { recordId: row.id, open: row.submitted_at === null }]));
}

/** Questions that the student has answered at least once, by chapter of a pack; without what no practice has. */
export async function countAnsweredByChapter(
  query: Query,
  userId: number,
  packId: number,
): Promise<Map<number, number>> {
  const rows = await query
    .selectFrom('exam_records')
    .innerJoin('exam_answers', 'exam_answers.record_id', 'exam_records.id')
    .innerJoin('questions', 'questions.id', 'exam_answers.question_id')
    .select(({ fn }) => ['questions.chapter_id', fn.count<number>('exam_answers.question_id').distinct().as('count')])
    .where('exam_records.user_id', '=', userId)
    .where('exam_records.pack_id', '=', packId)
    .where('exam_answers.answer', '<>', '')
    .where('questions.archived', '=', 0)
    .where('questions.id', 'not in', reservedQuestions(query).where('reserving.pack_id', '=', packId))
    .groupBy('questions.chapter_id')
    .execute();
  return new Map(rows.map((row) => [row.chapter_id, row.count]));
}

/** Questions of each after-class practice of a pack that the student has answered at least once, by exam. */
export async function countAnsweredAfterClass(
  query: Query,
  userId: number,
  packId: number,
): Promise<Map<number, number>> {
  const rows = await query
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
  return new Map(rows.map((row) => [row.id, row.count]));
}

/** Which papers of a pack are listed; without a kind all but chapter practice, which the chapter tree shows. */
export interface PaperFilter {
  packId: number;
  kind?: SchoolKind | undefined;
  year?: number | undefined;
  courseId?: number | undefined;
}

/** Papers on offer of a pack, newest year first. */
export async function listPapers(query: Query, { packId, kind, year, courseId }: PaperFilter) {
  let rows = query.selectFrom('exams').selectAll().where('pack_id', '=', packId).where('archived', '=', 0);
  rows = kind === undefined ? rows.where('kind', 'in', paperKinds) : rows.where('kind', '=', kind);
  if (year !== undefined) rows = rows.where('year', '=', year);
  if (courseId !== undefined) rows = rows.where('course_id', '=', courseId);
  return rows.orderBy('year', 'desc').orderBy('position').orderBy('id').execute();
}

/** How many papers on offer a pack has of each kind. */
export async function countPapersByKind(query: Query, packId: number): Promise<Map<ExamKind, number>> {
  const rows = await query
    .selectFrom('exams')
    .select(({ fn }) => ['kind', fn.countAll<number>().as('count')])
    .where('pack_id', '=', packId)
    .where('archived', '=', 0)
    .groupBy('kind')
    .execute();
  return new Map(rows.map(({ kind, count }) => [kind, count]));
}

/** How many students took each exam; teachers who tried it out are none of them. */
export async function countTakers(query: Query, examIds: readonly number[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  const teachers = await readTeacherIds(query);
  for (const ids of inLists(examIds)) {
    const rows = await query
      .selectFrom('exam_records')
      .select(({ fn }) => ['exam_id', fn.count<number>('user_id').distinct().as('count')])
      .where('exam_id', 'in', ids)
      .where('closed', 'in', takerClosings)
      .where('user_id', 'not in', padded([0, ...teachers]))
      .groupBy('exam_id')
      .execute();
    for (const row of rows) counts.set(row.exam_id, row.count);
  }
  return counts;
}

/** Years of the past papers of a pack, newest first. */
export async function listYears(query: Query, packId: number): Promise<number[]> {
  const rows = await query
    .selectFrom('exams')
    .select('year')
    .distinct()
    .where('pack_id', '=', packId)
    .where('kind', '=', 'past')
    .where('archived', '=', 0)
    .where('year', 'is not', null)
    .orderBy('year', 'desc')
    .execute();
  return rows.map((row) => row.year ?? 0);
}

/** Of which pack an exam of the school is, and its test type; null when there is none. Archived ones too. */
export async function findExam(query: Query, examId: number): Promise<{ packId: number; testType: number } | null> {
  const row = await query
    .selectFrom('exams')
    .select(['pack_id', 'test_type'])
    .where('id', '=', examId)
    .where('kind', 'in', schoolKinds)
    .executeTakeFirst();
  return row ? { packId: row.pack_id, testType: row.test_type } : null;
}

/** What of an exam is printed beside its questions, as it is on offer. */
interface PrintablePaper {
  packId: number;
  kind: ExamKind;
  examName: string;
  /** Minutes; null: no limit. */
  examTime: number | null;
  totalQuestion: number;
  totalScore: number;
  version: number;
  archived: boolean;
  /** Its questions or options stand in another order in each record. */
  shuffled: boolean;
  /** The student who put it together; null: it is the school's. */
  ownerId: number | null;
}

/** An exam of any kind as it is on offer, or was; null when there is none. */
export async function findPaper(query: Query, examId: number): Promise<PrintablePaper | null> {
  const row = await query
    .selectFrom('exams')
    .leftJoin('own_papers', 'own_papers.exam_id', 'exams.id')
    .select([
      'exams.pack_id as packId',
      'exams.kind',
      'exams.name as examName',
      'exams.exam_time as examTime',
      'exams.total_question as totalQuestion',
      'exams.total_score as totalScore',
      'exams.version',
      'exams.archived',
      'exams.shuffle_questions',
      'exams.shuffle_options',
      'own_papers.user_id as ownerId',
    ])
    .where('exams.id', '=', examId)
    .executeTakeFirst();
  if (!row) return null;
  const { archived, shuffle_questions, shuffle_options, ...paper } = row;
  return { ...paper, archived: archived === 1, shuffled: shuffle_questions === 1 || shuffle_options === 1 };
}

/** Questions of chapters of a pack without their keys, by chapter and place; what is kept for a paper is not told. `total` counts all pages. */
export async function listQuestions(
  query: Query,
  asked: { packId: number; chapterIds: readonly number[]; questionTypesId: number; limit: number; offset: number },
): Promise<{ list: Static<typeof QuestionSchema>[]; total: number }> {
  let rows = query
    .selectFrom('questions')
    .where('chapter_id', 'in', asked.chapterIds)
    .where('archived', '=', 0)
    .where('id', 'not in', reservedQuestions(query).where('reserving.pack_id', '=', asked.packId));
  if (asked.questionTypesId !== 0) rows = rows.where('question_types_id', '=', asked.questionTypesId);
  const { total } = await rows.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  // The page is found from the index alone; only its own questions are then read whole.
  const ids = await rows
    .select('id')
    .orderBy('chapter_id')
    .orderBy('position')
    .orderBy('id')
    .limit(asked.limit)
    .offset(asked.offset)
    .execute();
  if (ids.length === 0) return { list: [], total };
  const page = await query
    .selectFrom('questions')
    .select(['id', 'question_types_id', 'topic', 'options', 'score', 'chapter_id', 'case_id'])
    .where('id', 'in', padded(ids.map((row) => row.id)))
    .execute();
  const byId = new Map(page.map((row) => [row.id, row]));
  const list = ids.flatMap(({ id }) => {
    const row = byId.get(id);
    if (!row) return [];
    return {
      questionId: row.id,
      questionTypesId: row.question_types_id as QuestionType,
      topic: row.topic,
      options: JSON.parse(row.options) as Record<string, string>,
      score: row.score,
      chapterId: row.chapter_id,
      parentCaseStudyId: row.case_id,
      showAnswerFlag: 0,
    };
  });
  return { list, total };
}

/** A practice as a lesson beside it shows it. */
interface PracticeProgress {
  examId: number;
  name: string;
  /** Its questions, and those of them that the student has answered at least once. */
  total: number;
  done: number;
}

/** Practices on offer of a pack by their stable keys, with how far a student is in them; those that are not there are left out. */
export async function readPracticeProgress(
  query: Query,
  { userId, packId }: { userId: number; packId: number },
  slugs: readonly string[],
): Promise<Map<string, PracticeProgress>> {
  const practices = new Map<string, PracticeProgress>();
  for (const some of inLists([...new Set(slugs)])) {
    const exams = await query
      .selectFrom('exams')
      .select(['id', 'slug', 'name', 'total_question'])
      .where('pack_id', '=', packId)
      .where('slug', 'in', some)
      .where('kind', 'in', ['chapter', 'afterclass'])
      .where('archived', '=', 0)
      .execute();
    if (exams.length === 0) continue;
    const answered = await query
      .selectFrom('exam_questions')
      .innerJoin('exam_answers', 'exam_answers.question_id', 'exam_questions.question_id')
      .innerJoin('exam_records', 'exam_records.id', 'exam_answers.record_id')
      .select(({ fn }) => [
        'exam_questions.exam_id',
        fn.count<number>('exam_answers.question_id').distinct().as('count'),
      ])
      .where('exam_questions.exam_id', 'in', padded(exams.map(({ id }) => id)))
      .where('exam_records.user_id', '=', userId)
      .where('exam_records.pack_id', '=', packId)
      .where('exam_answers.answer', '<>', '')
      .groupBy('exam_questions.exam_id')
      .execute();
    const done = new Map(answered.map((row) => [row.exam_id, Number(row.count)]));
    for (const { id, slug, name, total_question } of exams)
      practices.set(slug, { examId: id, name, total: total_question, done: done.get(id) ?? 0 });
  }
  return practices;
}
