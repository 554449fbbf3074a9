import type { Selectable } from 'kysely';
import { THIS_SITE } from '#contract/values/live.ts';
import type { Query, Trx } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';
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

/** Lets a connection to SRS send to a lesson. @returns false: its key is no longer the right one */
export async function letIn(trx: Trx, liveId: number, key: string, client: string, now: number): Promise<boolean> {
  const changed = await trx
    .updateTable('live_streams')
    .set({ publisher: client, let_in_at: now, fault: '', warnings: '[]' })
    .where('live_id', '=', liveId)
    .where('stream_key', '=', key)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** Notes that a connection to SRS is gone. @returns the lesson that it sent to; undefined: another one sends, or none did */
export async function letGo(trx: Trx, stream: string, client: string, now: number): Promise<number | undefined> {
  const gone = await trx
    .updateTable('live_streams')
    .set({ publisher: '' })
    .where('stream', '=', stream)
    .where('publisher', '=', client)
    .returning('live_id')
    .executeTakeFirst();
  // One that never sent anything interrupts nothing.
  if (gone)
    await trx
      .updateTable('live_lessons')
      .set({ over_at: now })
      .where('id', '=', gone.live_id)
      .where('heard_at', 'is not', null)
      .where('over_at', 'is', null)
      .execute();
  return gone?.live_id;
}

/** Notes that the connection that was let in sends. @returns false: it was not, or is gone */
export async function noteSending(query: Query, liveId: number, client: string, now: number): Promise<boolean> {
  const noted = await query
    .updateTable('live_lessons')
    .set({ heard_at: now, over_at: null })
    .where('id', '=', liveId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('live_streams').select('live_id').where('live_id', '=', liveId).where('publisher', '=', client),
      ),
    )
    .executeTakeFirst();
  return noted.numUpdatedRows > 0n;
}

/** The connections to SRS that were let in before then, by stream. */
export async function readLetIn(query: Query, before: number): Promise<{ stream: string; publisher: string }[]> {
  return query
    .selectFrom('live_streams')
    .select(['stream', 'publisher'])
    .where('publisher', '!=', '')
    .where('let_in_at', '<', before)
    .execute();
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

/** Every media that is a replay. */
export async function readReplayMedia(query: Query): Promise<number[]> {
  const rows = await query
    .selectFrom('live_lessons')
    .select('replay_media_id as id')
    .where('replay_media_id', 'is not', null)
    .where('cancelled_at', 'is', null)
    .execute();
  return rows.flatMap(({ id }) => id ?? []);
}

/** Titles of the lessons whose replays these media are, of those that were not called off. */
export async function readReplays(query: Query, mediaIds: readonly number[]): Promise<Map<number, string[]>> {
  if (mediaIds.length === 0) return new Map();
  const rows = await query
    .selectFrom('live_lessons')
    .select(['replay_media_id as mediaId', 'title'])
    .where('replay_media_id', 'in', padded(mediaIds))
    .where('cancelled_at', 'is', null)
    .orderBy('id')
    .execute();
  const found = Map.groupBy(rows, ({ mediaId }) => mediaId ?? 0);
  return new Map([...found].map(([mediaId, lessons]) => [mediaId, lessons.map(({ title }) => title)]));
}

/** The lessons whose replay this media is. */
export async function readLivesOfMedia(query: Query, mediaId: number): Promise<StoredLive[]> {
  return query.selectFrom('live_lessons').selectAll().where('replay_media_id', '=', mediaId).execute();
}
