import { type Insertable, type Selectable, sql } from 'kysely';
import { inLists } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';
import type { LiveLessons } from '#server/db/schema.ts';

/** A live lesson as it is stored. */
export type StoredLive = Selectable<LiveLessons>;

interface LiveFilter {
  /** Of these packs; left out: of all. */
  packIds?: readonly number[];
  /** Those that were called off, too. */
  withCancelled: boolean;
  now: number;
}

/** Whether a lesson is over: by the clock elsewhere; in the room of this site one that began ends when it was ended. */
const overBy = (now: number) =>
  sql<boolean>`(cancelled_at is not null or ended_at is not null or (ends_at <= ${now} and started_at is null))`;

/** A page of live lessons: what is live or to come first, the soonest first, then what is over, the newest first. */
export async function readLives(
  query: Query,
  { packIds, withCancelled, now }: LiveFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ lives: StoredLive[]; total: number }> {
  if (packIds?.length === 0) return { lives: [], total: 0 };
  let rows = query.selectFrom('live_lessons');
  if (packIds !== undefined) rows = rows.where('pack_id', 'in', padded(packIds));
  if (!withCancelled) rows = rows.where('cancelled_at', 'is', null);
  const { total } = await rows.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const isOver = overBy(now);
  const over = sql<number>`case when ${isOver} then 1 else 0 end`;
  const lives = await rows
    .selectAll()
    .orderBy(over)
    .orderBy(sql`case when ${isOver} then -starts_at else starts_at end`)
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { lives, total: Number(total) };
}

/** What is live or comes next in these packs, the soonest first. */
export async function readNextLives(
  query: Query,
  { packIds, now, limit }: { packIds: readonly number[]; now: number; limit: number },
): Promise<StoredLive[]> {
  const found: StoredLive[] = [];
  for (const some of inLists(packIds))
    found.push(
      ...(await query
        .selectFrom('live_lessons')
        .selectAll()
        .where('pack_id', 'in', some)
        .where('cancelled_at', 'is', null)
        .where(({ not }) => not(overBy(now)))
        .orderBy('starts_at')
        .orderBy('id')
        .limit(limit)
        .execute()),
    );
  return found.sort((one, other) => one.starts_at - other.starts_at || one.id - other.id).slice(0, limit);
}

/** One live lesson, also one that was called off; undefined: there is none. */
export async function findLive(query: Query, id: number): Promise<StoredLive | undefined> {
  return query.selectFrom('live_lessons').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The same, held until the transaction ends: who books and who moves a lesson come one after the other. */
export async function lockLive(trx: Trx, id: number): Promise<StoredLive | undefined> {
  await trx
    .updateTable('live_lessons')
    .set(({ ref }) => ({ id: ref('id') }))
    .where('id', '=', id)
    .execute();
  return findLive(trx, id);
}

/** Stores a live lesson. One that its creator sent before is given as it is. */
export async function addLive(trx: Trx, row: Insertable<LiveLessons>): Promise<StoredLive> {
  const added = await trx
    .insertInto('live_lessons')
    .values(row)
    .onConflict((conflict) => conflict.columns(['created_by', 'client_id']).doNothing())
    .returningAll()
    .executeTakeFirst();
  return (
    added ??
    trx
      .selectFrom('live_lessons')
      .selectAll()
      .where('created_by', '=', row.created_by)
      .where('client_id', '=', row.client_id ?? null)
      .executeTakeFirstOrThrow()
  );
}

/** Changes a live lesson. */
export async function changeLive(trx: Trx, id: number, change: Partial<Omit<StoredLive, 'id'>>): Promise<void> {
  await trx.updateTable('live_lessons').set(change).where('id', '=', id).execute();
}

/** Lessons that have begun, are not over, and whose students have not been told. */
export async function readBegun(query: Query, now: number): Promise<StoredLive[]> {
  return query
    .selectFrom('live_lessons')
    .selectAll()
    .where(({ or, eb }) => or([eb('starts_at', '<=', now), eb('started_at', '<=', now)]))
    .where(({ not }) => not(overBy(now)))
    .where('told_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** Takes it upon this process to tell that a lesson begins. @returns false: another one has, or it was moved or called off meanwhile */
export async function claimBegun(trx: Trx, { id, starts_at }: StoredLive, now: number): Promise<boolean> {
  const claimed = await trx
    .updateTable('live_lessons')
    .set({ told_at: now })
    .where('id', '=', id)
    .where('starts_at', '=', starts_at)
    .where('told_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .executeTakeFirst();
  return claimed.numUpdatedRows > 0n;
}

/** Who has booked a lesson. */
export async function readBookers(query: Query, liveId: number): Promise<number[]> {
  const rows = await query
    .selectFrom('live_bookings')
    .select('user_id')
    .where('live_id', '=', liveId)
    .orderBy('user_id')
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Which of these lessons somebody has booked. */
export async function readBooked(query: Query, userId: number, liveIds: readonly number[]): Promise<Set<number>> {
  const booked = new Set<number>();
  for (const some of inLists(liveIds))
    for (const { live_id } of await query
      .selectFrom('live_bookings')
      .select('live_id')
      .where('user_id', '=', userId)
      .where('live_id', 'in', some)
      .execute())
      booked.add(live_id);
  return booked;
}

/** How many people have booked each of these lessons. */
export async function countBookings(query: Query, liveIds: readonly number[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const some of inLists(liveIds))
    for (const { live_id, count } of await query
      .selectFrom('live_bookings')
      .select(({ fn }) => ['live_id', fn.countAll<number>().as('count')])
      .where('live_id', 'in', some)
      .groupBy('live_id')
      .execute())
      counts.set(live_id, Number(count));
  return counts;
}

/** Books a lesson for somebody; twice is the same as once. */
export async function addBooking(trx: Trx, liveId: number, userId: number, now: number): Promise<void> {
  await trx
    .insertInto('live_bookings')
    .values({ live_id: liveId, user_id: userId, booked_at: now })
    .onConflict((conflict) => conflict.columns(['live_id', 'user_id']).doNothing())
    .execute();
}

/** Takes a booking back. */
export async function deleteBooking(query: Query, liveId: number, userId: number): Promise<void> {
  await query.deleteFrom('live_bookings').where('live_id', '=', liveId).where('user_id', '=', userId).execute();
}

/** What somebody has booked, in the order of the lessons. */
export async function readBookingsOf(
  query: Query,
  userId: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; title: string; startTime: number; bookedAt: number }[]> {
  return query
    .selectFrom('live_bookings')
    .innerJoin('live_lessons', 'live_lessons.id', 'live_bookings.live_id')
    .select([
      'live_lessons.id',
      'live_lessons.title',
      'live_lessons.starts_at as startTime',
      'live_bookings.booked_at as bookedAt',
    ])
    .where('live_bookings.user_id', '=', userId)
    .where('live_bookings.live_id', '>', after)
    .orderBy('live_bookings.live_id')
    .limit(limit)
    .execute();
}

/** Forgets what somebody has booked. */
export async function deleteBookingsOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('live_bookings').where('user_id', '=', userId).execute();
}
