import { type LiveState, OTHER_PLATFORM, type StreamState } from '#contract/values/live.ts';
import { liveState } from '#rules/live/lesson.ts';
import { type RoomFacts, roomState } from '#rules/live/room.ts';
import type { Query } from '#server/db/open.ts';
import { readReady } from '#server/media/store.ts';
import type { StoredLive } from './store.ts';

/** What the rules of the room of this site ask of a lesson. */
export const factsOf = (row: StoredLive, hasReplay: boolean): RoomFacts => ({
  ...{ startTime: row.starts_at, endTime: row.ends_at, startedAt: row.started_at, endedAt: row.ended_at },
  ...{ heardAt: row.heard_at, overAt: row.over_at, hasReplay },
});

/** How a lesson stands, wherever it is held. @param hasReplay of one in the room of this site: its replay can be played */
export function standingOf(
  row: StoredLive,
  hasReplay: boolean,
  now: number,
): { state: LiveState; stream: StreamState } {
  const { starts_at, ends_at, replay_url, live_platform } = row;
  if (live_platform !== OTHER_PLATFORM) return roomState(factsOf(row, hasReplay), now);
  const state = liveState({ startTime: starts_at, endTime: ends_at, replayUrl: replay_url }, now);
  return { state, stream: now < ends_at ? 'waiting' : 'ended' };
}

/** Which of these lessons have a replay of this site that can be played. */
export async function readReplays(query: Query, rows: readonly StoredLive[]): Promise<Set<number>> {
  const ready = await readReady(
    query,
    rows.flatMap(({ replay_media_id }) => (replay_media_id === null ? [] : [replay_media_id])),
  );
  return new Set(
    rows.flatMap(({ id, replay_media_id }) => (replay_media_id !== null && ready.has(replay_media_id) ? [id] : [])),
  );
}

/** How one lesson stands now, as read from the database. */
export async function readStanding(query: Query, row: StoredLive, now: number): Promise<ReturnType<typeof standingOf>> {
  return standingOf(row, (await readReplays(query, [row])).has(row.id), now);
}
