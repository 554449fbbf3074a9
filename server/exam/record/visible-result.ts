import type { Static } from 'typebox';
import type { DataOf } from '#contract/call.ts';
import type { MyExams, RecordState, SubmitExam } from '#contract/exam.ts';
import { type Closed, tookAnswersUntil, usedSeconds } from '#rules/exam/attempt.ts';
import { type ExamKind, examModeOf, type InOpenExam, visibleTally, withheldSince } from '#rules/exam/reveal.ts';
import type { Graded, Tally } from '#rules/exam/scoring.ts';
import type { Db, Query } from '#server/db/open.ts';
import { Prepared, padded } from '#server/db/prepared.ts';
import { gradedFromJson } from '../grading/close-records.ts';

export type RecordLine = DataOf<typeof MyExams>['list'][number];
export type Result = Omit<DataOf<typeof SubmitExam>, 'late'>;

/** A record with the exam it is of, as its owner may see it; figures are read through `figuresOf`. */
export interface RecordView {
  recordId: number;
  userId: number;
  examId: number;
  examName: string;
  kind: ExamKind;
  packId: number;
  packName: string;
  courseId: number | null;
  chapterId: number | null;
  testType: number;
  examTime: number | null;
  totalQuestion: number;
  totalScore: number;
  version: number;
  shuffled: boolean;
  startedAt: number;
  endsAt: number | null;
  submittedAt: number | null;
  closed: Closed | null;
  windowId: string | null;
  totalTime: number;
  score: number | null;
  rightCount: number;
  wrongCount: number;
  unansweredCount: number;
  pendingCount: number;
}

function views(query: Query) {
  return query
    .selectFrom('exam_records')
    .innerJoin('exams', 'exams.id', 'exam_records.exam_id')
    .innerJoin('packs', 'packs.id', 'exams.pack_id')
    .select(({ eb }) => [
      'exam_records.id as recordId',
      'exam_records.user_id as userId',
      'exam_records.exam_id as examId',
      'exams.name as examName',
      'exams.kind',
      'exams.pack_id as packId',
      'packs.name as packName',
      'exams.course_id as courseId',
      'exams.chapter_id as chapterId',
      'exams.test_type as testType',
      'exams.exam_time as examTime',
      'exams.total_question as totalQuestion',
      'exams.total_score as totalScore',
      'exams.version',
      eb.case().when('exam_records.layout', 'is', null).then(eb.lit(0)).else(eb.lit(1)).end().as('shuffled'),
      'exam_records.started_at as startedAt',
      'exam_records.ends_at as endsAt',
      'exam_records.submitted_at as submittedAt',
      'exam_records.closed',
      'exam_records.window_id as windowId',
      'exam_records.total_time as totalTime',
      'exam_records.score',
      'exam_records.right_count as rightCount',
      'exam_records.wrong_count as wrongCount',
      'exam_records.unanswered_count as unansweredCount',
      'exam_records.pending_count as pendingCount',
    ]);
}

type ViewRow = Awaited<ReturnType<ReturnType<typeof views>['execute']>>[number];
const toView = (row: ViewRow): RecordView => ({
  ...row,
  shuffled: row.shuffled === 1,
  closed: row.closed as Closed | null,
});

/** One record of this student; null when there is none or it is another's (incidents: chamilo-lms #7671). */
export async function findRecord(db: Db, userId: number, recordId: number): Promise<RecordView | null> {
  let find = finders.get(db);
  if (!find) {
    find = new Prepared<ViewRow>(
      () => views(db.query).where('exam_records.id', '=', 0).where('exam_records.user_id', '=', 0) as never,
    );
    finders.set(db, find);
  }
  const [row] = await find.look(db, [recordId, userId]);
  return row ? toView(row) : null;
}

const finders = new WeakMap<Db, Prepared<ViewRow>>();

/** Which records of a student are listed. */
export interface RecordFilter {
  userId: number;
  packId?: number | undefined;
  examId?: number | undefined;
  kind?: ExamKind | undefined;
  state?: 'open' | 'closed' | undefined;
}

function filtered(query: Query, { userId, packId, examId, kind, state }: RecordFilter) {
  let rows = views(query).where('exam_records.user_id', '=', userId);
  if (packId !== undefined) rows = rows.where('exam_records.pack_id', '=', packId);
  if (examId !== undefined) rows = rows.where('exam_records.exam_id', '=', examId);
  if (kind !== undefined) rows = rows.where('exams.kind', '=', kind);
  if (state !== undefined) rows = rows.where('exam_records.submitted_at', state === 'open' ? 'is' : 'is not', null);
  return rows;
}

/** A page of a student's records, newest first. */
export async function listRecords(
  query: Query,
  filter: RecordFilter,
  limit: number,
  offset: number,
): Promise<RecordView[]> {
  const rows = await filtered(query, filter)
    .orderBy('exam_records.started_at', 'desc')
    .orderBy('exam_records.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(toView);
}

/** How many records the filter finds on all pages together. */
export async function countRecords(query: Query, filter: RecordFilter): Promise<number> {
  const row = await filtered(query, filter)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

/**
 * The questions of the scored exams that a student sits right now, with when that exam began, and every other question
 * that reads the same: a twin in another pack has the same key.
 */
export async function readInOpenExam(query: Query, userId: number): Promise<InOpenExam> {
  const rows = await query
    .selectFrom('exam_records')
    .innerJoin('exams', 'exams.id', 'exam_records.exam_id')
    .innerJoin('exam_questions', 'exam_questions.exam_id', 'exams.id')
    .innerJoin('questions', 'questions.id', 'exam_questions.question_id')
    .select(['exam_questions.question_id', 'questions.fingerprint', 'exam_records.started_at'])
    .where('exam_records.user_id', '=', userId)
    .where('exam_records.submitted_at', 'is', null)
    .where('exams.kind', 'in', ['mock', 'past', 'timed'])
    .execute();
  const open = new Map<number, number>();
  const since = new Map<string, number>();
  const earliest = <K>(of: Map<K, number>, key: K, at: number) => of.set(key, Math.min(at, of.get(key) ?? at));
  for (const row of rows) {
    earliest(open, row.question_id, row.started_at);
    if (row.fingerprint !== '') earliest(since, row.fingerprint, row.started_at);
  }
  const fingerprints = [...since.keys()];
  for (let from = 0; from < fingerprints.length; from += 1000) {
    const twins = await query
      .selectFrom('questions')
      .select(['id', 'fingerprint'])
      .where('fingerprint', 'in', padded(fingerprints.slice(from, from + 1000)))
      .execute();
    for (const { id, fingerprint } of twins) earliest(open, id, since.get(fingerprint) ?? 0);
  }
  return open;
}

/** The graded questions of closed records, by record. */
export async function readGraded(
  query: Query,
  recordIds: readonly number[],
): Promise<Map<number, Map<number, Graded>>> {
  if (recordIds.length === 0) return new Map();
  const rows = await query
    .selectFrom('exam_records')
    .select(['id', 'graded'])
    .where('id', 'in', padded(recordIds))
    .where('graded', 'is not', null)
    .execute();
  return new Map(rows.map((row) => [row.id, gradedFromJson(row.graded ?? '{}')]));
}

export type Figures = Tally & { hiddenCount: number };

/** The figures of closed records as their student may see them now (rules/exam/reveal.ts `visibleTally`). */
export async function figuresOf(
  query: Query,
  records: readonly RecordView[],
  inOpenExam: InOpenExam,
): Promise<Map<number, Figures>> {
  const since = withheldSince(inOpenExam);
  const until = ({ submittedAt, ...one }: RecordView) =>
    submittedAt === null ? null : tookAnswersUntil({ ...one, submittedAt });
  const doubtful = records.filter((one) => (until(one) ?? 0) >= since);
  const graded = await readGraded(
    query,
    doubtful.map((one) => one.recordId),
  );
  return new Map(
    records.map((one) => {
      const own = graded.get(one.recordId);
      const { rightCount, wrongCount, unansweredCount, pendingCount } = one;
      const stored = { score: one.score ?? 0, rightCount, wrongCount, unansweredCount, pendingCount, hiddenCount: 0 };
      const answersUntil = until(one);
      return [one.recordId, own && answersUntil !== null ? visibleTally(own, answersUntil, inOpenExam) : stored];
    }),
  );
}

/** A record as the contract writes it. */
export function recordOut(view: RecordView): Static<typeof RecordState> {
  return {
    recordId: view.recordId,
    examId: view.examId,
    examName: view.examName,
    kind: view.kind,
    packId: view.packId,
    courseId: view.courseId,
    chapterId: view.chapterId,
    examMode: examModeOf(view.kind),
    testType: view.testType,
    examTime: view.examTime,
    totalQuestion: view.totalQuestion,
    totalScore: view.totalScore,
    examType: view.submittedAt === null ? 1 : 2,
    startedAt: view.startedAt,
    endsAt: view.endsAt,
    submittedAt: view.submittedAt,
  };
}

/** The result of a closed record as its student may see it now; null while it is open. */
export function resultOut(view: RecordView, figures: Figures): Result | null {
  const { submittedAt, closed } = view;
  if (submittedAt === null || closed === null) return null;
  return {
    recordId: view.recordId,
    closed,
    submittedAt,
    totalScore: view.totalScore,
    usedTime: usedSeconds({ ...view, submittedAt }, view.totalTime),
    ...figures,
  };
}

/** Lines of "my exams" with what each may show. */
export async function recordLines(
  query: Query,
  records: readonly RecordView[],
  inOpenExam: InOpenExam,
): Promise<RecordLine[]> {
  const figures = await figuresOf(query, records, inOpenExam);
  const done = await countAnswered(
    query,
    records.map((one) => one.recordId),
  );
  return records.map((one) => {
    const own = figures.get(one.recordId);
    return {
      ...recordOut(one),
      closed: one.closed,
      score: one.submittedAt === null ? null : (own?.score ?? null),
      hiddenCount: own?.hiddenCount ?? 0,
      pendingCount: own?.pendingCount ?? 0,
      doneCount: done.get(one.recordId) ?? 0,
      packName: one.packName,
    };
  });
}

/** How many questions of each record have an answer. */
async function countAnswered(query: Query, recordIds: readonly number[]): Promise<Map<number, number>> {
  if (recordIds.length === 0) return new Map();
  const rows = await query
    .selectFrom('exam_answers')
    .select(({ fn }) => ['record_id', fn.countAll<number>().as('count')])
    .where('record_id', 'in', padded(recordIds))
    .where('answer', '<>', '')
    .groupBy('record_id')
    .execute();
  return new Map(rows.map((row) => [row.record_id, row.count]));
}

export interface StoredAnswer {
  questionId: number;
  answer: string | null;
  seq: number;
  flag: number;
  shownAt: number | null;
  totalTime: number;
}

/** Everything saved in a record. */
export async function readAnswers(query: Query, recordId: number): Promise<StoredAnswer[]> {
  return query
    .selectFrom('exam_answers')
    .select(['question_id as questionId', 'answer', 'seq', 'flag', 'shown_at as shownAt', 'total_time as totalTime'])
    .where('record_id', '=', recordId)
    .orderBy('question_id')
    .execute();
}

/** Share of takers who were right, by question; questions nobody answered are left out. For revealed questions only. */
export async function readAccuracy(query: Query, questionIds: readonly number[]): Promise<Map<number, number>> {
  const rates = new Map<number, number>();
  for (let from = 0; from < questionIds.length; from += 1000) {
    const rows = await query
      .selectFrom('question_stats')
      .selectAll()
      .where('question_id', 'in', padded(questionIds.slice(from, from + 1000)))
      .execute();
    for (const row of rows) if (row.taken > 0) rates.set(row.question_id, row.right_count / row.taken);
  }
  return rates;
}

/** Whether a pack is there and this student is enrolled in it. */
export async function packAccess(
  query: Query,
  userId: number,
  packId: number,
): Promise<'ok' | 'notFound' | 'notEnrolled'> {
  const pack = await query
    .selectFrom('packs')
    .leftJoin('enrolments', (join) =>
      join.onRef('enrolments.pack_id', '=', 'packs.id').on('enrolments.user_id', '=', userId),
    )
    .select('enrolments.user_id')
    .where('packs.id', '=', packId)
    .where('packs.archived', '=', 0)
    .executeTakeFirst();
  if (!pack) return 'notFound';
  return pack.user_id === null ? 'notEnrolled' : 'ok';
}

/** Makes a window the owner of an open record. @returns whether there was one */
export async function takeWindow(query: Query, userId: number, recordId: number, windowId: string): Promise<boolean> {
  const done = await query
    .updateTable('exam_records')
    .set({ window_id: windowId })
    .where('id', '=', recordId)
    .where('user_id', '=', userId)
    .where('submitted_at', 'is', null)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}
