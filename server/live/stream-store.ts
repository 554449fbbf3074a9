import type { Selectable } from 'kysely';
import { THIS_SITE } from '#contract/values/live.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { LiveStreams } from '#server/db/schema.ts';
import type { StoredLive } from './store.ts';

/** Where the stream of a lesson comes in, as it is stored. */
export type StoredStream = Selectable<LiveStreams>;

/** Gives a lesson its stream. */
export async function addStream(
  trx: Trx,
  stream: Pick<StoredStream, 'live_id' | 'stream' | 'stream_key'>,
): Promise<void> {
  await trx
    .insertInto('live_streams')
    .values({ ...stream, first_part: '', fault: '', warnings: '[]', replay_fault: '', replay_parts: '[]' })
    .onConflict((conflict) => conflict.column('live_id').doNothing())
    .execute();
}

/** The stream of a lesson; undefined: it is held on another platform. */
export async function findStream(query: Query, liveId: number): Promise<StoredStream | undefined> {
  return query.selectFrom('live_streams').selectAll().where('live_id', '=', liveId).executeTakeFirst();
}

/** The lesson whose key this is; undefined: nobody's. */
export async function findByKey(query: Query, key: string): Promise<(StoredLive & { stream: string }) | undefined> {
  return query
    .selectFrom('live_streams')
    .innerJoin('live_lessons', 'live_lessons.id', 'live_streams.live_id')
    .selectAll('live_lessons')
    .select('live_streams.stream')
    .where('live_streams.stream_key', '=', key)
    .executeTakeFirst();
}

/** The lesson of a stream; undefined: there is none. */
export async function findByStream(query: Query, stream: string): Promise<StoredLive | undefined> {
  return query
    .selectFrom('live_streams')
    .innerJoin('live_lessons', 'live_lessons.id', 'live_streams.live_id')
    .selectAll('live_lessons')
    .where('live_streams.stream', '=', stream)
    .executeTakeFirst();
}

/** Changes what is stored of a stream. */
export async function changeStream(
  query: Query,
  liveId: number,
  change: Partial<Omit<StoredStream, 'live_id' | 'stream'>>,
): Promise<void> {
  await query.updateTable('live_streams').set(change).where('live_id', '=', liveId).execute();
}

/** Notes what an encoder does to its lesson. */
export async function noteStream(
  query: Query,
  liveId: number,
  change: Partial<Pick<StoredLive, 'heard_at' | 'over_at'>>,
): Promise<void> {
  await query.updateTable('live_lessons').set(change).where('id', '=', liveId).execute();
}

/** Starts a lesson. @returns false: it has been, or is over */
export async function claimStart(trx: Trx, liveId: number, now: number): Promise<boolean> {
  const claimed = await trx
    .updateTable('live_lessons')
    .set({ started_at: now })
    .where('id', '=', liveId)
    .where('started_at', 'is', null)
    .where('ended_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .executeTakeFirst();
  return claimed.numUpdatedRows > 0n;
}

/** Ends a lesson. @returns whether it had begun; undefined: another process has ended it, or it was called off */
export async function claimEnd(
  trx: Trx,
  liveId: number,
  now: number,
): Promise<Pick<StoredLive, 'started_at'> | undefined> {
  return trx
    .updateTable('live_lessons')
    .set({ ended_at: now })
    .where('id', '=', liveId)
    .where('ended_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .returning('started_at')
    .executeTakeFirst();
}

/** Lessons in the room of this site that have begun or had to, and have not ended. */
export async function readOpenRooms(query: Query, now: number): Promise<StoredLive[]> {
  return query
    .selectFrom('live_lessons')
    .selectAll()
    .where('live_platform', '=', THIS_SITE)
    .where('ended_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .where(({ or, eb }) => or([eb('ends_at', '<=', now), eb('started_at', 'is not', null)]))
    .orderBy('id')
    .execute();
}

/** Of these streams those whose recordings are wanted no more: their replay is there, or the lesson was called off. */
export async function readDoneStreams(
  query: Query,
  streams: readonly string[],
): Promise<{ stream: string; mediaId: number | null; cancelledAt: number | null }[]> {
  if (streams.length === 0) return [];
  return query
    .selectFrom('live_streams')
    .innerJoin('live_lessons', 'live_lessons.id', 'live_streams.live_id')
    .select(['live_streams.stream', 'replay_media_id as mediaId', 'cancelled_at as cancelledAt'])
    .where('live_streams.stream', 'in', [...streams])
    .where(({ or, eb }) => or([eb('replay_media_id', 'is not', null), eb('cancelled_at', 'is not', null)]))
    .execute();
}

/** The lessons whose replay this media is. */
export async function readLivesOfMedia(query: Query, mediaId: number): Promise<StoredLive[]> {
  return query.selectFrom('live_lessons').selectAll().where('replay_media_id', '=', mediaId).execute();
}
