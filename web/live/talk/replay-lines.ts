import type { Data } from '#web/lib/send.ts';

type Line = Data<'GET /app/live/talk_replay'>['list'][number];

/** What was read of the talk of a replay. */
export interface ReadReplay {
  /** From this second on; null: nothing was read. */
  from: number | null;
  /** In the order in which it was said. */
  list: readonly Line[];
  /** What comes further on has a higher number. */
  next: number;
  more: boolean;
}

export const NOTHING_READ: ReadReplay = { from: null, list: [], next: 0, more: false };

/** Seconds that are read ahead. */
const AHEAD = 60;
/** Whoever jumps further than so many seconds ahead reads there, and not all that is between. */
const JUMP = 600;
/** Lines that are shown at once. */
const SHOWN = 200;

/** What has to be asked for at a place of the replay: anew from a second, or what comes after a number; null: nothing. */
export function readsNext(
  { from, list, next, more }: ReadReplay,
  position: number,
): { from: number; after: number | null } | null {
  const second = Math.floor(position);
  if (from === null || second < from) return { from: second, after: null };
  const last = list.at(-1)?.second ?? from;
  if (!more || last > position + AHEAD) return null;
  return last + JUMP < position ? { from: second, after: null } : { from, after: next };
}

/** The lines that have been said at a place, the last ones. */
export function linesAt({ list }: ReadReplay, position: number): readonly Line[] {
  let end = list.length;
  while (end > 0 && (list[end - 1]?.second ?? 0) > position) end -= 1;
  return list.slice(Math.max(0, end - SHOWN), end);
}
