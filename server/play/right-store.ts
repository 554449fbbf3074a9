import { grouped } from '#server/db/group.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import { settledSetting } from '#server/db/settings-store.ts';

/** The right to play a video or a sound that somebody was given. */
interface GivenRight {
  userId: number;
  mediaId: number;
  /** Server time. */
  at: number;
}

/**
 * Makes what notes rights to play. Only the first one of a person and a media is kept: from then on their clock may pay for it
 * (rules/play/study-clock.ts). Those of one moment share a transaction.
 */
export function rightNoter(db: Db): (right: GivenRight) => Promise<void> {
  const note = grouped<GivenRight, undefined>(
    db,
    ({ userId }) => userId,
    async (trx, all) => {
      await insertRights(trx, all);
      return all.map(() => undefined);
    },
  );
  return async (right) => {
    const known = await db.query
      .selectFrom('play_rights')
      .select('given_at')
      .where('user_id', '=', right.userId)
      .where('media_id', '=', right.mediaId)
      .executeTakeFirst();
    if (!known) await note(right);
  };
}

async function insertRights(trx: Trx, rights: readonly GivenRight[]): Promise<void> {
  // In one order, so that two servers never wait for each other.
  const sorted = [...rights].sort((a, b) => a.userId - b.userId || a.mediaId - b.mediaId || a.at - b.at);
  await trx
    .insertInto('play_rights')
    .values(sorted.map(({ userId, mediaId, at }) => ({ user_id: userId, media_id: mediaId, given_at: at })))
    .onConflict((conflict) => conflict.columns(['user_id', 'media_id']).doNothing())
    .execute();
}

/** Since when this installation notes rights, settled at its first start with them: who holds an older one is not known here. 0: there are none. */
export async function rightsNotedSince(query: Query, now: number): Promise<number> {
  const before = await query.selectFrom('study_clocks').select('user_id').limit(1).executeTakeFirst();
  return Number(await settledSetting(query, 'play_rights_since', () => String(before ? now : 0)));
}

/** Some of what somebody was given the right to play, by the id of the media. */
export async function readRights(
  query: Query,
  userId: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; givenAt: number }[]> {
  return query
    .selectFrom('play_rights')
    .select(['media_id as id', 'given_at as givenAt'])
    .where('user_id', '=', userId)
    .where('media_id', '>', after)
    .orderBy('media_id')
    .limit(limit)
    .execute();
}

/** Takes away all rights that were noted of somebody. */
export async function deleteRights(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('play_rights').where('user_id', '=', userId).execute();
}

/** A media is deleted: nobody plays it any more. */
export async function forgetRightsOf(trx: Trx, mediaId: number): Promise<void> {
  await trx.deleteFrom('play_rights').where('media_id', '=', mediaId).execute();
}
