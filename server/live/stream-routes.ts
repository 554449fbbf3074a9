import type { DataOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import { EndLive, MakeReplay, NewStreamKey, ReadStream, ReadStreamKey, StartLive } from '#contract/live-stream.ts';
import { OTHER_PLATFORM, streamFaultKinds, streamWarningKinds } from '#contract/values/live.ts';
import { isSending } from '#rules/live/room.ts';
import { srsKey } from '#rules/live/srs.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import { askForTranscode } from '#server/media/bring-in.ts';
import { findMedia, lockMedia } from '#server/media/store.ts';
import type { Parts } from '#server/parts.ts';
import { askForReplay } from './replay.ts';
import { factsOf, readReplays, standingOf } from './room-state.ts';
import type { Rooms } from './rooms.ts';
import { findLive, type StoredLive } from './store.ts';
import { findStream, type StoredStream } from './stream-store.ts';
import type { Watchers } from './watch.ts';

type TaughtStream = DataOf<typeof ReadStream>;
type Found = { ok: true; row: StoredLive; stream: StoredStream } | { ok: false; why: Why };

/** Binds what teachers do with the stream of a lesson (contract/live-stream.ts). */
export function streamRoutes(
  serve: Serve,
  { db, srs }: Pick<Parts, 'db' | 'srs'>,
  { rooms, watchers }: { rooms: Rooms; watchers: Watchers },
): void {
  async function find(liveId: number): Promise<Found> {
    const row = await findLive(db.query, liveId);
    if (!row) return { ok: false, why: 'notFound' };
    if (row.live_platform === OTHER_PLATFORM) return { ok: false, why: 'liveNotHere' };
    const stream = await findStream(db.query, liveId);
    return stream ? { ok: true, row, stream } : { ok: false, why: 'notFound' };
  }

  /** A key as an encoder takes it. */
  const shownKey = (stream: string, key: string) => (srs ? srsKey(stream, key) : key);

  /** What stands of the replay of a lesson that has ended. */
  async function replayOf(
    row: StoredLive,
    stream: StoredStream,
  ): Promise<Pick<TaughtStream, 'replay' | 'replayFault'>> {
    if (row.ended_at === null || row.started_at === null) return { replay: 'none', replayFault: '' };
    if (row.replay_media_id === null)
      return { replay: stream.replay_fault === '' ? 'making' : 'failed', replayFault: stream.replay_fault };
    const media = await findMedia(db.query, row.replay_media_id);
    if (!media) return { replay: 'none', replayFault: '' };
    if (media.ready_at !== null) return { replay: 'ready', replayFault: '' };
    return { replay: media.state === 'failed' ? 'failed' : 'making', replayFault: media.reason };
  }

  serve(ReadStream, async ({ input: { liveId }, arrivedAt }) => {
    const found = await find(liveId);
    if (!found.ok) return refuse(found.why);
    const { row, stream } = found;
    const ingest = rooms.ingest?.state();
    const trouble: TaughtStream['trouble'] = ingest ? (ingest.trouble ?? '') : 'off';
    const replays = await readReplays(db.query, [row]);
    const standing = standingOf(row, replays.has(row.id), arrivedAt);
    return {
      server: srs?.rtmp ?? '',
      ...{ port: ingest?.port ?? 0, trouble, state: standing.state, streamState: standing.stream },
      ...{ sends: isSending(factsOf(row, false), arrivedAt), facts: rooms.facts(stream.stream) },
      ...{ startedAt: row.started_at, endedAt: row.ended_at, heardAt: row.heard_at },
      fault: streamFaultKinds.find((kind) => kind === stream.fault) ?? '',
      warnings: streamWarningKinds.filter((kind) => (JSON.parse(stream.warnings) as string[]).includes(kind)),
      watching: watchers.count(liveId),
      ...(await replayOf(row, stream)),
    };
  });
  serve(ReadStreamKey, async ({ input: { liveId } }) => {
    const found = await find(liveId);
    return found.ok ? { streamKey: shownKey(found.stream.stream, found.stream.stream_key) } : refuse(found.why);
  });
  serve(NewStreamKey, async ({ input: { liveId }, arrivedAt }) => {
    const made = await rooms.newKey(liveId, arrivedAt);
    if (!made.ok) return refuse(made.why);
    const stream = await findStream(db.query, liveId);
    return { streamKey: shownKey(stream?.stream ?? '', made.streamKey) };
  });
  serve(StartLive, async ({ input: { liveId }, arrivedAt }) => {
    const done = await rooms.start(liveId, arrivedAt);
    return done.ok ? {} : refuse(done.why);
  });
  serve(EndLive, async ({ input: { liveId }, arrivedAt }) => {
    const done = await rooms.end(liveId, arrivedAt);
    return done.ok ? {} : refuse(done.why);
  });
  serve(MakeReplay, async ({ input: { liveId }, arrivedAt }) => {
    const found = await find(liveId);
    if (!found.ok) return refuse(found.why);
    const { row, stream } = found;
    if (row.ended_at === null || row.started_at === null) return refuse('liveNotOpen');
    // What is there, or on its way, is left as it is.
    const mediaId = row.replay_media_id;
    await db.transaction(
      async (trx) => {
        if (mediaId === null && stream.replay_fault !== '') await askForReplay(trx, liveId, arrivedAt);
        // It was brought in, and could not be made playable.
        const media = mediaId === null ? null : await lockMedia(trx, mediaId);
        if (media?.state === 'failed') await askForTranscode(trx, media.id, arrivedAt);
      },
      { idempotent: () => true },
    );
    return {};
  });
}
