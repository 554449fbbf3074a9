import { type Insertable, type Selectable, sql } from 'kysely';
import { type AnswerState, type FeedbackState, feedbackState } from '#contract/values/feedback.ts';
import type { Place } from '#rules/paging/place.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { ExamFeedback } from '#server/db/schema.ts';

/** A report as it is stored. */
export type StoredReport = Selectable<ExamFeedback>;

/** Stores a report on an exam question. @returns its id */
export async function saveExamFeedback(query: Query, feedback: Insertable<ExamFeedback>): Promise<number> {
  const { id } = await query.insertInto('exam_feedback').values(feedback).returning('id').executeTakeFirstOrThrow();
  return id;
}

/**
 * A report of the same person about the same thing in the same words, without pictures, which no teacher has looked at. @returns its id, or null
 * @param since in epoch milliseconds: an older one is another report
 */
export async function findSame(query: Query, report: Insertable<ExamFeedback>, since: number): Promise<number | null> {
  let rows = query
    .selectFrom('exam_feedback')
    .select('id')
    .where('user_id', '=', report.user_id)
    .where('created_at', '>', since)
    .where('pack_id', '=', report.pack_id)
    .where('resource_id', '=', report.resource_id)
    .where('feedback_type', '=', report.feedback_type)
    .where('feedback_desc', '=', report.feedback_desc)
    .where('state', '=', feedbackState.waiting);
  for (const column of ['question_id', 'record_id'] as const) {
    const value = report[column];
    rows = value == null ? rows.where(column, 'is', null) : rows.where(column, '=', value);
  }
  const found = await rows
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('feedback_images')
            .select('feedback_images.feedback_id')
            .whereRef('feedback_images.feedback_id', '=', 'exam_feedback.id'),
        ),
      ),
    )
    .orderBy('id')
    .executeTakeFirst();
  return found?.id ?? null;
}

/** Stores the pictures of a report, in their order. */
export async function saveFeedbackImages(trx: Trx, id: number, files: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  const rows = files.map((file, position) => ({ feedback_id: id, position, file }));
  await trx.insertInto('feedback_images').values(rows).execute();
}

/** The stored pictures of reports, in their order. */
export async function readFeedbackImages(query: Query, ids: readonly number[]): Promise<Map<number, string[]>> {
  const images = new Map<number, string[]>();
  for (const some of inLists(ids)) {
    const rows = await query
      .selectFrom('feedback_images')
      .select(['feedback_id', 'file'])
      .where('feedback_id', 'in', some)
      .orderBy('feedback_id')
      .orderBy('position')
      .execute();
    for (const { feedback_id: id, file } of rows) images.set(id, [...(images.get(id) ?? []), file]);
  }
  return images;
}

/** Whether a file is a picture of a report: of any, or of one that this person wrote. */
export async function isFeedbackImage(query: Query, file: string, authorId: number | null): Promise<boolean> {
  const images = query
    .selectFrom('feedback_images')
    .innerJoin('exam_feedback', 'exam_feedback.id', 'feedback_images.feedback_id')
    .select('exam_feedback.id')
    .where('feedback_images.file', '=', file);
  const row = await (authorId === null ? images : images.where('user_id', '=', authorId)).executeTakeFirst();
  return row !== undefined;
}

/** Which of these files are pictures of reports. */
export async function feedbackFilesAmong(query: Query, files: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const some of inLists(files)) {
    const rows = await query
      .selectFrom('feedback_images')
      .select('file')
      .distinct()
      .where('file', 'in', some)
      .execute();
    found.push(...rows.map(({ file }) => file));
  }
  return found;
}

/** How many reports of a question are not decided. */
export async function countUndecided(query: Query, questionId: number): Promise<number> {
  const { count } = await query
    .selectFrom('exam_feedback')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('question_id', '=', questionId)
    .where('state', 'in', [feedbackState.waiting, feedbackState.received])
    .executeTakeFirstOrThrow();
  return Number(count);
}

interface PageBounds {
  limit: number;
  offset: number;
}

/** Which reports a teacher looks at; what is left out narrows nothing. */
interface ReportFilter {
  state?: number | undefined;
  packId?: number | undefined;
  feedbackType?: number | undefined;
  questionId?: number | undefined;
  /** Only older ones. */
  beforeId?: number | undefined;
}

function narrowed(query: Query, { state, packId, feedbackType, questionId, beforeId }: ReportFilter) {
  let found = query.selectFrom('exam_feedback');
  if (state !== undefined) found = found.where('state', '=', state as FeedbackState);
  if (packId !== undefined) found = found.where('pack_id', '=', packId);
  if (feedbackType !== undefined) found = found.where('feedback_type', '=', feedbackType);
  if (questionId !== undefined) found = found.where('question_id', '=', questionId);
  if (beforeId !== undefined) found = found.where('id', '<', beforeId);
  return found;
}

/**
 * A page of the reports of all students: those that wait first, each part newest first.
 * @param after only what comes behind this place, from which on `total` counts too
 * @returns `next`: the place of the last one; null: none comes behind it
 */
export async function readReports(
  query: Query,
  filter: ReportFilter,
  { limit, offset }: PageBounds,
  after: Place | null,
): Promise<{ reports: StoredReport[]; total: number; newestId: number | null; next: Place | null }> {
  const found = narrowed(query, filter);
  let behind = found;
  if (after !== null)
    behind = behind.where((is) => {
      const older = is.or([
        is('created_at', '<', after.at),
        is.and([is('created_at', '=', after.at), is('id', '<', after.id)]),
      ]);
      const part = is('state', after.waits ? '=' : '<>', feedbackState.waiting);
      return after.waits
        ? is.or([is('state', '<>', feedbackState.waiting), is.and([part, older])])
        : is.and([part, older]);
    });
  const { newest } = await found.select(({ fn }) => fn.max('id').as('newest')).executeTakeFirstOrThrow();
  const { total } = await behind.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const reports = await behind
    .selectAll()
    .orderBy(sql`case when state = ${sql.lit(feedbackState.waiting)} then 0 else 1 end`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const last = reports.at(-1);
  const isLast = last === undefined || offset + reports.length >= Number(total);
  return {
    reports,
    total: Number(total),
    newestId: newest === null ? null : Number(newest),
    next: isLast ? null : { waits: last.state === feedbackState.waiting, at: last.created_at, id: last.id },
  };
}

/** A page of one student's reports, newest first. */
export async function readOwnReports(
  query: Query,
  userId: number,
  { limit, offset }: PageBounds,
): Promise<{ reports: StoredReport[]; total: number }> {
  const own = query.selectFrom('exam_feedback').where('user_id', '=', userId);
  const { total } = await own.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const reports = await own
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { reports, total: Number(total) };
}

/** The packs that have reports. */
export async function packsWithReports(query: Query): Promise<number[]> {
  const rows = await query.selectFrom('exam_feedback').select('pack_id').distinct().orderBy('pack_id').execute();
  return rows.map((row) => row.pack_id);
}

/** How many reports stand in each state. */
export async function countByState(query: Query): Promise<Map<FeedbackState, number>> {
  const rows = await query
    .selectFrom('exam_feedback')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute();
  return new Map(rows.map(({ state, count }) => [state, Number(count)]));
}

/** The report that has waited longest of those that are meant, but for one; undefined when none waits. */
export async function findOldestWaiting(
  query: Query,
  { without = 0, ...filter }: Omit<ReportFilter, 'state'> & { without?: number } = {},
): Promise<Pick<StoredReport, 'id' | 'created_at'> | undefined> {
  return narrowed(query, { ...filter, state: feedbackState.waiting })
    .select(['id', 'created_at'])
    .where('id', '!=', without)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** How many students reported each question. */
export async function countReporters(query: Query, questionIds: readonly number[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const ids of inLists([...new Set(questionIds)])) {
    const rows = await query
      .selectFrom('exam_feedback')
      .select(({ fn }) => ['question_id', fn.count<number>('user_id').distinct().as('count')])
      .where('question_id', 'in', ids)
      .groupBy('question_id')
      .execute();
    for (const { question_id, count } of rows) if (question_id !== null) counts.set(question_id, Number(count));
  }
  return counts;
}

/** One report; undefined when there is none. */
export async function findReport(query: Query, id: number): Promise<StoredReport | undefined> {
  return query.selectFrom('exam_feedback').selectAll().where('id', '=', id).executeTakeFirst();
}

interface StoredAnswer {
  version: number;
  state: AnswerState;
  answer: string;
  answered_by: number;
  answered_at: number;
}

/** Every answer of a report, oldest first. */
export async function readAnswers(query: Query, id: number): Promise<StoredAnswer[]> {
  return query
    .selectFrom('feedback_answers')
    .select(['version', 'state', 'answer', 'answered_by', 'answered_at'])
    .where('feedback_id', '=', id)
    .orderBy('version')
    .execute();
}

/**
 * Answers a report that stands at the version before this one, and keeps the answer beside those before it.
 * @returns whether it still stood there: of two teachers at once the second changes nothing
 */
export async function saveAnswer(trx: Trx, id: number, answer: StoredAnswer): Promise<boolean> {
  const { version, ...rest } = answer;
  const [changed] = await trx
    .updateTable('exam_feedback')
    .set({ ...rest, version })
    .where('id', '=', id)
    .where('version', '=', version - 1)
    .returning('id')
    .execute();
  if (changed === undefined) return false;
  await trx
    .insertInto('feedback_answers')
    .values({ feedback_id: id, ...answer })
    .execute();
  return true;
}

/** A student's reports that were answered since they last looked, with their questions. */
export async function readUnread(query: Query, userId: number): Promise<Pick<StoredReport, 'id' | 'question_id'>[]> {
  return query
    .selectFrom('exam_feedback')
    .select(['id', 'question_id'])
    .where('user_id', '=', userId)
    .whereRef('version', '>', 'seen_version')
    .execute();
}

/** Notes up to which answer a student has looked at one of their reports; one that came later stays unread. */
export async function saveSeen(
  query: Query,
  { userId, id, version }: { userId: number; id: number; version: number },
): Promise<void> {
  await query
    .updateTable('exam_feedback')
    .set({ seen_version: version })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('seen_version', '<', version)
    .where('version', '>=', version)
    .execute();
}
