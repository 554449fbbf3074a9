import { ENDED, LIVE, LIVE_EARLY, type LiveState, REPLAY, type StreamState, UPCOMING } from '#contract/values/live.ts';
import { GONE_AFTER, streamState } from './publishing.ts';

/** What is stored of a lesson in the room of this site. */
export interface RoomFacts {
  startTime: number;
  endTime: number;
  /** When its teacher started it, or its first stream came; null: not yet. */
  startedAt: number | null;
  /** When it ended; null: it has not. */
  endedAt: number | null;
  /** When its stream was last heard, also one of a trial, or of before a restart of the server. */
  heardAt: number | null;
  /** When its last stream was over; null: one comes, or none ever did. */
  overAt: number | null;
  /** Its replay can be played. */
  hasReplay: boolean;
}

/**
 * How a lesson in the room of this site stands, by clock and stream (decisions §5). Its room opens at the planned time, or sooner with the
 * first stream or when its teacher starts it. A drop interrupts it; its teacher ends it, or hours without a stream do, or its planned end
 * where nothing ever came. What is sent before it began is a trial and changes nothing.
 */
export function roomState(room: RoomFacts, now: number): { state: LiveState; stream: StreamState } {
  const { startTime, endTime, startedAt, endedAt, heardAt, overAt, hasReplay } = room;
  const over = { state: hasReplay ? REPLAY : ENDED, stream: 'ended' } as const;
  if (endedAt !== null) return over;
  if (startedAt === null) {
    if (now >= endTime) return over;
    return { state: now < startTime ? UPCOMING : LIVE, stream: 'waiting' };
  }
  const stream = streamState({ startedAt, endedAt, heardAt }, now);
  // Who is only late with the first stream keeps the lesson until its planned end.
  if (stream === 'ended') return heardAt === null && now < endTime ? { state: LIVE, stream: 'waiting' } : over;
  if (stream === 'live' && overAt !== null) return { state: LIVE, stream: 'interrupted' };
  return { state: LIVE, stream };
}

/** Whether a stream that comes now begins its lesson, or is a trial before it. */
export const beginsLesson = ({ startTime }: Pick<RoomFacts, 'startTime'>, now: number): boolean =>
  now >= startTime - LIVE_EARLY;

/** Whether somebody's stream is taken now: a lesson that is over takes none. */
export const takesStream = (room: RoomFacts, now: number): boolean => roomState(room, now).stream !== 'ended';

/** Whether a stream comes in, in a trial too. */
export const isSending = ({ heardAt, overAt }: Pick<RoomFacts, 'heardAt' | 'overAt'>, now: number): boolean =>
  heardAt !== null && overAt === null && now - heardAt < GONE_AFTER;
