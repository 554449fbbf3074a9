import type { Insertable, Selectable } from 'kysely';
import type { Query, Trx } from '#server/db/open.ts';
import type { LiveMessages, LiveTalks } from '#server/db/schema.ts';

/** One event of a room as it is stored. */
export type StoredEvent = Selectable<LiveMessages>;
/** How a room stands as it is stored. */
type StoredTalk = Selectable<LiveTalks>;

const QUIET = { last_seq: 0, muted_all: 0, pinned_seq: null };

/** How the room of a lesson stands. */
export async function readTalk(query: Query, liveId: number): Promise<StoredTalk> {
  const row = await query.selectFrom('live_talks').selectAll().where('live_id', '=', liveId).executeTakeFirst();
  return row ?? { live_id: liveId, ...QUIET };
}

/** The same, held until the transaction ends: what happens in one room happens one after the other, in every process. */
export async function lockTalk(trx: Trx, liveId: number): Promise<StoredTalk> {
  await trx
    .insertInto('live_talks')
    .values({ live_id: liveId, ...QUIET })
    .onConflict((conflict) => conflict.column('live_id').doNothing())
    .execute();
  return trx
    .updateTable('live_talks')
    .set(({ ref }) => ({ last_seq: ref('last_seq') }))
    .where('live_id', '=', liveId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Changes how a room stands that is held. */
export async function changeTalk(
  trx: Trx,
  liveId: number,
  change: Partial<Pick<StoredTalk, 'muted_all' | 'pinned_seq'>>,
): Promise<void> {
  await trx.updateTable('live_talks').set(change).where('live_id', '=', liveId).execute();
}

/** Adds an event under the next number of a room that is held. */
export async function addEvent(
  trx: Trx,
  event: Omit<Insertable<LiveMessages>, 'seq' | 'deleted_at' | 'deleted_by' | 'id'>,
): Promise<StoredEvent> {
  const { last_seq: seq } = await trx
    .updateTable('live_talks')
    .set(({ eb }) => ({ last_seq: eb('last_seq', '+', 1) }))
    .where('live_id', '=', event.live_id)
    .returning('last_seq')
    .executeTakeFirstOrThrow();
  return trx
    .insertInto('live_messages')
    .values({ ...event, seq, deleted_at: null, deleted_by: null })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The message that somebody sent under this name; undefined: none. */
export async function findSent(
  query: Query,
  liveId: number,
  userId: number,
  clientId: string,
): Promise<StoredEvent | undefined> {
  return query
    .selectFrom('live_messages')
    .selectAll()
    .where('live_id', '=', liveId)
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
}

/** One message by its number; undefined: it is none. */
export async function findSaid(query: Query, liveId: number, seq: number): Promise<StoredEvent | undefined> {
  return query
    .selectFrom('live_messages')
    .selectAll()
    .where('live_id', '=', liveId)
    .where('seq', '=', seq)
    .where('kind', '=', 'said')
    .executeTakeFirst();
}

/** How many messages somebody has sent since a moment. */
export async function countSaidSince(query: Query, liveId: number, userId: number, since: number): Promise<number> {
  const { count } = await query
    .selectFrom('live_messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('live_id', '=', liveId)
    .where('user_id', '=', userId)
    .where('said_at', '>', since)
    .where('kind', '=', 'said')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Takes a message out of sight; its text is kept. */
export async function markDeleted(trx: Trx, id: number, { by, now }: { by: number; now: number }): Promise<void> {
  await trx.updateTable('live_messages').set({ deleted_at: now, deleted_by: by }).where('id', '=', id).execute();
}

/** Events of a room after a number, the first first. */
export async function readAfter(query: Query, liveId: number, after: number, limit: number): Promise<StoredEvent[]> {
  return query
    .selectFrom('live_messages')
    .selectAll()
    .where('live_id', '=', liveId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/** The last events of a room, or the last before a number, the first first. */
export async function readBefore(
  query: Query,
  liveId: number,
  before: number | undefined,
  limit: number,
): Promise<StoredEvent[]> {
  let rows = query.selectFrom('live_messages').selectAll().where('live_id', '=', liveId);
  if (before !== undefined) rows = rows.where('seq', '<', before);
  return (await rows.orderBy('seq', 'desc').limit(limit).execute()).reverse();
}

/** What was said in a room and not deleted, after a number and from a moment on, the first first. */
export async function readSaid(
  query: Query,
  liveId: number,
  { after, from, limit }: { after: number; from: number; limit: number },
): Promise<StoredEvent[]> {
  return query
    .selectFrom('live_messages')
    .selectAll()
    .where('live_id', '=', liveId)
    .where('seq', '>', after)
    .where('kind', '=', 'said')
    .where('deleted_at', 'is', null)
    .where('said_at', '>=', from)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

// ---- who may not speak, whose hand is up ----

/** Whether somebody is muted in a room. */
export async function isMuted(query: Query, liveId: number, userId: number): Promise<boolean> {
  const row = await query
    .selectFrom('live_mutes')
    .select('user_id')
    .where('live_id', '=', liveId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Mutes somebody in a room, or not any more. @returns false: it was so already */
export async function setMuted(
  trx: Trx,
  { liveId, userId, muted, by, now }: { liveId: number; userId: number; muted: boolean; by: number; now: number },
): Promise<boolean> {
  if ((await isMuted(trx, liveId, userId)) === muted) return false;
  if (muted)
    await trx
      .insertInto('live_mutes')
      .values({ live_id: liveId, user_id: userId, muted_at: now, muted_by: by })
      .execute();
  else await trx.deleteFrom('live_mutes').where('live_id', '=', liveId).where('user_id', '=', userId).execute();
  return true;
}

/** Who is muted in a room, the last one first. */
export async function readMuted(query: Query, liveId: number, limit: number): Promise<number[]> {
  const rows = await query
    .selectFrom('live_mutes')
    .select('user_id')
    .where('live_id', '=', liveId)
    .orderBy('muted_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Whether somebody's hand is up. */
export async function isHandUp(query: Query, liveId: number, userId: number): Promise<boolean> {
  const row = await query
    .selectFrom('live_hands')
    .select('user_id')
    .where('live_id', '=', liveId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Raises somebody's hand or lowers it. @returns false: it was so already */
export async function setHand(
  trx: Trx,
  { liveId, userId, up, now }: { liveId: number; userId: number; up: boolean; now: number },
): Promise<boolean> {
  if ((await isHandUp(trx, liveId, userId)) === up) return false;
  if (up) await trx.insertInto('live_hands').values({ live_id: liveId, user_id: userId, raised_at: now }).execute();
  else await trx.deleteFrom('live_hands').where('live_id', '=', liveId).where('user_id', '=', userId).execute();
  return true;
}

/** Whose hands are up, the first one first. */
export async function readHands(
  query: Query,
  liveId: number,
  limit: number,
): Promise<{ user_id: number; raised_at: number }[]> {
  return query
    .selectFrom('live_hands')
    .select(['user_id', 'raised_at'])
    .where('live_id', '=', liveId)
    .orderBy('raised_at')
    .orderBy('user_id')
    .limit(limit)
    .execute();
}

/** How many hands are up. */
export async function countHands(query: Query, liveId: number): Promise<number> {
  const { count } = await query
    .selectFrom('live_hands')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('live_id', '=', liveId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

// ---- of a person ----

/** What somebody said in the rooms of lessons, in its order. */
export async function readSaidBy(
  query: Query,
  userId: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; liveId: number; text: string; saidAt: number; deleted: boolean }[]> {
  const rows = await query
    .selectFrom('live_messages')
    .select(['id', 'live_id', 'text', 'said_at', 'deleted_at'])
    .where('user_id', '=', userId)
    .where('id', '>', after)
    .where('kind', '=', 'said')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, live_id, text, said_at, deleted_at }) => ({
    ...{ id, liveId: live_id, text, saidAt: said_at },
    deleted: deleted_at !== null,
  }));
}

/** Forgets which of a person's hands are up and where they are muted. */
export async function deleteStandingOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('live_hands').where('user_id', '=', userId).execute();
  await trx.deleteFrom('live_mutes').where('user_id', '=', userId).execute();
}
