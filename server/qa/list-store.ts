import { type SelectQueryBuilder, sql } from 'kysely';
import { QA_COUNTED_UP_TO } from '#contract/values/qa.ts';
import type { Place } from '#rules/paging/place.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query } from '#server/db/open.ts';
import type { Tables } from '#server/db/schema.ts';

/** Of which listed questions a page is read. */
interface ListFilter {
  /** In these packs; beside it a course or a lesson narrows. */
  packIds: readonly number[];
  courseId?: number | undefined;
  lessonId?: number | undefined;
  /** Only older ones. */
  beforeId?: number | undefined;
  /** Only those that a teacher has answered. */
  answered?: boolean | undefined;
  /** Only those that this person asks too. */
  flaggedBy?: number | undefined;
  /** Exam questions of which nothing may be told now. */
  notAbout: readonly number[];
}

interface Bounds {
  limit: number;
  offset: number;
}

/** A page of ids, newest first. `total` is counted up to `QA_COUNTED_UP_TO`; older ones are reached by `beforeId`. */
interface IdPage {
  ids: number[];
  total: number;
  newestId: number | null;
}

/** Those of these exam questions about which somebody asked: seldom more than a few, so that a list need not name all. */
export async function askedAbout(query: Query, questionIds: ReadonlySet<number>): Promise<number[]> {
  const found: number[] = [];
  for (const ids of inLists([...questionIds])) {
    const rows = await query
      .selectFrom('qa_threads')
      .select('question_id')
      .distinct()
      .where('question_id', 'in', ids)
      .execute();
    found.push(...rows.flatMap(({ question_id }) => question_id ?? []));
  }
  return found;
}

/** A page of what other students may see, newest first. */
export async function readListed(query: Query, filter: ListFilter, { limit, offset }: Bounds): Promise<IdPage> {
  // Each pack is read along its index and the pages are put together: of several packs at once no index knows the order.
  const lists = [...new Set(filter.packIds)].map((packId) => listed(query, packId, filter));
  const [most, reach] = [QA_COUNTED_UP_TO, Math.min(offset + limit, QA_COUNTED_UP_TO)];
  const ids: number[] = [];
  let total = 0;
  for (const list of lists) {
    total += await counted(query, list.select('qa_threads.id').limit(most));
    const rows = await list.select('qa_threads.id').orderBy('qa_threads.id', 'desc').limit(reach).execute();
    ids.push(...rows.map(({ id }) => id));
  }
  ids.sort((one, other) => other - one);
  return { ids: ids.slice(offset, reach), total: Math.min(total, most), newestId: ids[0] ?? null };
}

function listed(query: Query, packId: number, filter: ListFilter) {
  const { courseId, lessonId, beforeId, answered, flaggedBy, notAbout } = filter;
  // Written out: of a parameter neither database knows that a partial index holds all that is asked for.
  let rows = query.selectFrom('qa_threads').where(sql<boolean>`listed = 1`);
  // A course or a lesson is read along its own index.
  if (courseId === undefined && lessonId === undefined) rows = rows.where('pack_id', '=', packId);
  else rows = rows.where(sql<boolean>`pack_id + 0 = ${packId}`);
  if (courseId !== undefined) rows = rows.where('course_id', '=', courseId);
  if (lessonId !== undefined) rows = rows.where('lesson_id', '=', lessonId);
  if (beforeId !== undefined) rows = rows.where('qa_threads.id', '<', beforeId);
  if (answered) rows = rows.where('answered_by', 'is not', null);
  if (flaggedBy !== undefined)
    rows = rows.where('qa_threads.id', 'in', ({ selectFrom }) =>
      selectFrom('qa_flags').select('thread_id').where('qa_flags.user_id', '=', flaggedBy),
    );
  for (const ids of inLists(notAbout))
    rows = rows.where((is) => is.or([is('question_id', 'is', null), is('question_id', 'not in', ids)]));
  return rows;
}

/** How many rows a bounded query has. */
async function counted(query: Query, rows: SelectQueryBuilder<Tables, 'qa_threads', { id: number }>): Promise<number> {
  const { count } = await query
    .selectFrom(rows.as('found'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A page of one student's own questions in a pack, newest first, hidden and held ones too. */
export async function readOwn(
  query: Query,
  {
    userId,
    packId,
    courseId,
    lessonId,
    feedbackType,
    questionId,
    beforeId,
  }: {
    userId: number;
    packId: number;
    courseId?: number | undefined;
    lessonId?: number | undefined;
    feedbackType?: 31 | 32 | 33 | 41 | undefined;
    /** The exam question they are about. */
    questionId?: number | undefined;
    beforeId?: number | undefined;
  },
  { limit, offset }: Bounds,
): Promise<IdPage> {
  let own = query
    .selectFrom('qa_threads')
    .where('user_id', '=', userId)
    .where('pack_id', '=', packId)
    .where('gone', '=', 0);
  if (courseId !== undefined) own = own.where('course_id', '=', courseId);
  if (lessonId !== undefined) own = own.where('lesson_id', '=', lessonId);
  if (feedbackType !== undefined) own = own.where('feedback_type', '=', feedbackType);
  if (questionId !== undefined) own = own.where('question_id', '=', questionId);
  if (beforeId !== undefined) own = own.where('id', '<', beforeId);
  const { total, newest } = await own
    .select(({ fn }) => [fn.countAll<number>().as('total'), fn.max('id').as('newest')])
    .executeTakeFirstOrThrow();
  const rows = await own.select('id').orderBy('id', 'desc').limit(limit).offset(offset).execute();
  return {
    ids: rows.map(({ id }) => id),
    total: Number(total),
    newestId: newest === null ? null : Number(newest),
  };
}

// ---- the teachers' queue ----

/** Which questions a teacher looks at. */
export interface QueueFilter {
  show: 'waiting' | 'all' | 'received' | 'held' | 'hidden';
  packId?: number | undefined;
  feedbackType?: 31 | 32 | 33 | 41 | undefined;
  /** Only those given to this teacher. */
  teacherId?: number | undefined;
  /** Only older ones. */
  beforeId?: number | undefined;
}

function narrowed(query: Query, { packId, feedbackType, teacherId, beforeId }: QueueFilter) {
  let rows = query.selectFrom('qa_threads');
  if (beforeId !== undefined) rows = rows.where('id', '<', beforeId);
  if (packId !== undefined) rows = rows.where('pack_id', '=', packId);
  if (feedbackType !== undefined) rows = rows.where('feedback_type', '=', feedbackType);
  if (teacherId !== undefined) rows = rows.where('teacher_id', '=', teacherId);
  return rows;
}

/** What a queue shows beside what waits. */
const rests = {
  all: sql<boolean>`waiting = 0 and gone = 0`,
  received: sql<boolean>`waiting = 0 and state = 1 and feedback_type < 41 and gone = 0`,
  held: sql<boolean>`held > 0 and gone = 0`,
  hidden: sql<boolean>`hidden > 0 and gone = 0`,
};

/** A question in a queue, by what it stands in its place. */
const placeAt = (id: number, due: number | null): Place =>
  due === null ? { waits: false, at: 0, id } : { waits: true, at: due, id };

/**
 * A page of the queue: what waits by its due time, then (`all`) the rest newest first; the others newest first.
 * @param after only what comes behind this place, from which on `total` counts too
 * @returns `next`: the place of the last one; null: none comes behind it
 */
export async function readQueue(
  query: Query,
  filter: QueueFilter,
  { limit, offset }: Bounds,
  after: Place | null,
): Promise<{ ids: number[]; total: number; next: Place | null }> {
  // What is gone waits for nobody: counted along the index alone.
  let waiting = narrowed(query, filter).where(sql<boolean>`waiting = 1`);
  let rest = filter.show === 'waiting' ? null : narrowed(query, filter).where(rests[filter.show]);
  if (after?.waits)
    waiting = waiting
      .where('due_at', '>=', after.at)
      .where((is) => is.or([is('due_at', '>', after.at), is('id', '>', after.id)]));
  else if (after !== null && rest !== null) rest = rest.where('id', '<', after.id);
  const most = QA_COUNTED_UP_TO;
  const withWaiting = (filter.show === 'waiting' || filter.show === 'all') && (after === null || after.waits);
  const first = withWaiting ? await counted(query, waiting.select('id').limit(most)) : 0;
  const second = rest === null ? 0 : await counted(query, rest.select('id').limit(most));
  const places: Place[] = [];
  if (withWaiting && offset < first) {
    const rows = await waiting
      .select(['id', 'due_at'])
      .orderBy('due_at')
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute();
    places.push(...rows.map((row) => placeAt(row.id, row.due_at)));
  }
  const from = Math.max(0, offset - first);
  if (rest !== null && places.length < limit && from < most) {
    const rows = await rest
      .select('id')
      .orderBy('id', 'desc')
      .limit(limit - places.length)
      .offset(from)
      .execute();
    places.push(...rows.map((row) => placeAt(row.id, null)));
  }
  const isLast = offset + places.length >= first + second;
  return {
    ids: places.map(({ id }) => id),
    total: Math.min(first + second, most),
    next: isLast ? null : (places.at(-1) ?? null),
  };
}

/** Those of these questions that a queue shows, in its order: what waits by its due time, then the others newest first. */
export async function amongQueue(query: Query, filter: QueueFilter, ids: readonly number[]): Promise<Place[]> {
  const kept = { ...rests, waiting: sql<boolean>`waiting = 1`, all: sql<boolean>`gone = 0` }[filter.show];
  const places: Place[] = [];
  for (const some of inLists(ids)) {
    const found = await narrowed(query, filter)
      .select(['id', 'waiting', 'due_at'])
      .where('id', 'in', some)
      .where(kept)
      .execute();
    places.push(...found.map((row) => placeAt(row.id, row.waiting === 1 ? row.due_at : null)));
  }
  return places.sort(inOrder);
}

/** Which of two places comes first. */
function inOrder(one: Place, other: Place): number {
  if (one.waits !== other.waits) return one.waits ? -1 : 1;
  return one.waits ? one.at - other.at || one.id - other.id : other.id - one.id;
}

/** A page of places in their order, as `readQueue` gives one. */
export function pageOfPlaces(
  all: readonly Place[],
  { limit, offset }: Bounds,
  after: Place | null,
): { ids: number[]; total: number; next: Place | null } {
  const places = after === null ? all : all.filter((place) => inOrder(after, place) < 0);
  const reach = offset + limit;
  const page = places.slice(offset, reach);
  return {
    ids: page.map(({ id }) => id),
    total: places.length,
    next: reach < places.length ? (page.at(-1) ?? null) : null,
  };
}

/** The id of the newest question; null: there is none. */
export async function newestThread(query: Query): Promise<number | null> {
  const row = await query.selectFrom('qa_threads').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.id ?? null;
}

/** What waits for teachers, each counted up to `QA_COUNTED_UP_TO`. */
export async function countWaiting(
  query: Query,
  { teacherId, now }: { teacherId: number; now: number },
): Promise<{ waiting: number; overdue: number; mine: number; held: number; oldestAt: number | null }> {
  const waiting = query.selectFrom('qa_threads').where(sql<boolean>`waiting = 1`);
  const upTo = (rows: typeof waiting) => counted(query, rows.select('id').limit(QA_COUNTED_UP_TO));
  const oldest = await waiting.select('created_at').orderBy('due_at').orderBy('id').limit(1).executeTakeFirst();
  return {
    waiting: await upTo(waiting),
    overdue: await upTo(waiting.where(sql<boolean>`promised_at is not null`).where('promised_at', '<', now)),
    mine: await upTo(waiting.where('teacher_id', '=', teacherId)),
    held: await upTo(query.selectFrom('qa_threads').where(sql<boolean>`held > 0 and gone = 0`)),
    oldestAt: oldest?.created_at ?? null,
  };
}

/** The question that is due first of a queue, but for one; null: none waits. */
export async function nextWaiting(query: Query, filter: QueueFilter, without: number): Promise<number | null> {
  const row = await narrowed(query, filter)
    .select('id')
    .where(sql<boolean>`waiting = 1`)
    .where('id', '<>', without)
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** How many questions that wait are given to each teacher. */
export async function countAssigned(query: Query): Promise<Map<number, number>> {
  const rows = await query
    .selectFrom('qa_threads')
    .select(({ fn }) => ['teacher_id', fn.countAll<number>().as('count')])
    .where(sql<boolean>`waiting = 1`)
    .where('teacher_id', 'is not', null)
    .groupBy('teacher_id')
    .execute();
  return new Map(rows.flatMap(({ teacher_id, count }) => (teacher_id === null ? [] : [[teacher_id, Number(count)]])));
}
