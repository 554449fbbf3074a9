import { SAME_STRETCH, type Stretch } from '#rules/live/attendance.ts';
import { batches, inLists } from '#server/db/batches.ts';
import type { Query, Trx } from '#server/db/open.ts';

/** A stretch in which a student was in the room of a lesson. */
export interface Presence extends Stretch {
  liveId: number;
  userId: number;
}

/**
 * Stores that students of a lesson were there. Who was there a moment before is there for longer: a row for each stretch, however often it
 * is told and from however many servers.
 */
export async function keepPresences(trx: Trx, liveId: number, there: readonly Presence[]): Promise<void> {
  const last = new Map<number, { id: number; until: number }>();
  const earliest = there.reduce((least, { from }) => Math.min(least, from), Number.MAX_SAFE_INTEGER);
  for (const some of inLists(there.map(({ userId }) => userId)))
    for (const row of await trx
      .selectFrom('live_presences')
      .select(['id', 'user_id', 'until_at'])
      .where('live_id', '=', liveId)
      .where('user_id', 'in', some)
      .where('until_at', '>=', earliest - SAME_STRETCH)
      .orderBy('until_at')
      .execute())
      last.set(row.user_id, { id: row.id, until: row.until_at });
  const longer = new Map<number, number[]>();
  const added: Presence[] = [];
  for (const one of there) {
    const known = last.get(one.userId);
    if (!known || known.until < one.from - SAME_STRETCH) added.push(one);
    else if (known.until < one.until) longer.set(one.until, [...(longer.get(one.until) ?? []), known.id]);
  }
  for (const [until, ids] of longer)
    for (const some of inLists(ids))
      await trx.updateTable('live_presences').set({ until_at: until }).where('id', 'in', some).execute();
  for (const some of batches(added))
    await trx
      .insertInto('live_presences')
      .values(
        some.map(({ userId, from, until }) => ({ live_id: liveId, user_id: userId, from_at: from, until_at: until })),
      )
      .execute();
}

/** Who was in the room of a lesson, and when. */
export async function readPresences(query: Query, liveId: number): Promise<Map<number, Stretch[]>> {
  const rows = await query
    .selectFrom('live_presences')
    .select(['user_id', 'from_at', 'until_at'])
    .where('live_id', '=', liveId)
    .orderBy('id')
    .execute();
  const found = new Map<number, Stretch[]>();
  for (const { user_id, from_at, until_at } of rows) {
    const own = found.get(user_id);
    if (own) own.push({ from: from_at, until: until_at });
    else found.set(user_id, [{ from: from_at, until: until_at }]);
  }
  return found;
}

/** When somebody was in the rooms of lessons, in the order in which it was stored. */
export async function readPresencesOf(
  query: Query,
  userId: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; liveId: number; fromAt: number; untilAt: number }[]> {
  return query
    .selectFrom('live_presences')
    .select(['id', 'live_id as liveId', 'from_at as fromAt', 'until_at as untilAt'])
    .where('user_id', '=', userId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Forgets when somebody was where. */
export async function deletePresencesOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('live_presences').where('user_id', '=', userId).execute();
}
