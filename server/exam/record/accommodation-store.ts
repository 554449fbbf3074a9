import type { AccommodationPercent } from '#contract/values/exam.ts';
import type { Accommodation } from '#rules/exam/accommodation.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import { PreparedForRows } from '#server/db/prepared.ts';

/** More time that a student has in papers with an end; `packId` null: in every pack. */
interface Granted extends Accommodation {
  packId: number | null;
}

/** What a teacher grants. */
interface Grant extends Granted {
  userId: number;
  reason: string;
  setBy: number;
  now: number;
}

/** Reads what students were granted; compiled once, since a year group starts in one second. */
export interface AccommodationStore {
  /** What is in force, by student; who has nothing is left out. */
  inForce(query: Query, userIds: readonly number[]): Promise<Map<number, Granted[]>>;
}

/** Makes the store of accommodations. */
export function accommodationStore(db: Db): AccommodationStore {
  const byUser = { user_id: 'bigint' } as const;
  const standing = new PreparedForRows<
    typeof byUser,
    { user_id: number; pack_id: number | null; percent: number | null; minutes: number | null }
  >(
    db,
    byUser,
    (given) =>
      given
        .selectFrom('given')
        .innerJoin('accommodations', 'accommodations.user_id', 'given.user_id')
        .select([
          'accommodations.user_id',
          'accommodations.pack_id',
          'accommodations.percent',
          'accommodations.minutes',
        ])
        .where('accommodations.ended_at', 'is', null) as never,
  );
  return {
    inForce: async (query, userIds) => {
      const found = new Map<number, Granted[]>();
      if (userIds.length === 0) return found;
      const rows = await standing.run(
        query,
        userIds.map((user_id) => ({ user_id })),
      );
      for (const { user_id, pack_id, percent, minutes } of rows) {
        const one = { packId: pack_id, percent: percent as AccommodationPercent | null, minutes };
        const known = found.get(user_id);
        if (known) known.push(one);
        else found.set(user_id, [one]);
      }
      return found;
    },
  };
}

/** What holds of a student for a pack, or for all. */
function held(query: Query, { userId, packId }: Pick<Grant, 'userId' | 'packId'>) {
  return query
    .selectFrom('accommodations')
    .selectAll()
    .where('user_id', '=', userId)
    .where('pack_id', packId === null ? 'is' : '=', packId)
    .where('ended_at', 'is', null);
}

/**
 * Grants, in place of what held for this student and pack; the very same by the same teacher is kept as it is, so that a repeated call
 * grants once. @returns its id; null: others set it over and over at this moment
 */
export async function keepGrant(trx: Trx, grant: Grant): Promise<number | null> {
  const { userId, packId, percent, minutes, reason, setBy, now } = grant;
  // Of two at once the second waits at the unique index, and then ends what the first has set.
  for (let tries = 0; tries < 3; tries += 1) {
    const before = await held(trx, grant).executeTakeFirst();
    if (
      before &&
      before.percent === percent &&
      before.minutes === minutes &&
      before.reason === reason &&
      before.set_by === setBy
    )
      return before.id;
    if (before) await endGrant(trx, { id: before.id, endedBy: setBy, now });
    const made = await trx
      .insertInto('accommodations')
      .values({ user_id: userId, pack_id: packId, percent, minutes, reason, set_by: setBy, set_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made) return made.id;
  }
  return null;
}

/** Ends what holds; what has ended stays as it was. @returns whether there is one */
export async function endGrant(
  query: Query,
  { id, endedBy, now }: { id: number; endedBy: number; now: number },
): Promise<boolean> {
  const ended = await query
    .updateTable('accommodations')
    .set({ ended_by: endedBy, ended_at: now })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (ended) return true;
  return (await query.selectFrom('accommodations').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** A page of all that was granted: what holds, the newest first, then what has ended. */
export async function readGrants(query: Query, { limit, offset }: { limit: number; offset: number }) {
  const { total } = await query
    .selectFrom('accommodations')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const grants = await query
    .selectFrom('accommodations')
    .selectAll()
    .orderBy(({ eb }) => eb.case().when('ended_at', 'is', null).then(eb.lit(0)).else(eb.lit(1)).end())
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { grants, total: Number(total) };
}

/** Some of what a student was granted, by its id. */
export async function readOwnGrants(query: Query, userId: number, { after, limit }: { after: number; limit: number }) {
  return query
    .selectFrom('accommodations')
    .select(['id', 'pack_id as packId', 'percent', 'minutes', 'reason', 'set_at as setAt', 'ended_at as endedAt'])
    .where('user_id', '=', userId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Takes away what a student was granted: its reason may tell of their health. */
export async function deleteGrants(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('accommodations').where('user_id', '=', userId).execute();
}
