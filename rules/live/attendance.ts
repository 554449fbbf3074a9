/** A stretch of time in which somebody was there, epoch milliseconds. */
export interface Stretch {
  from: number;
  until: number;
}

/**
 * Milliseconds of absence that are no absence: a connection that came back, a server that started again. It is less than a student
 * gains by being away.
 */
export const SAME_STRETCH = 45_000;
const MINUTE = 60_000;

/** How somebody attended a lesson. */
interface Attended {
  fromAt: number;
  untilAt: number;
  /** Whole minutes that they were there. */
  minutes: number;
  /** Stretches, with what is no absence left out. */
  times: number;
}

/**
 * How somebody attended: stretches of several windows and servers count once, short gaps are none, and what lies before the lesson's
 * beginning or after its end counts for nothing.
 * @returns null: they were not there while it was held
 */
export function attended(stretches: readonly Stretch[], held: Stretch): Attended | null {
  const within = stretches
    .map(({ from, until }) => ({ from: Math.max(from, held.from), until: Math.min(until, held.until) }))
    .filter(({ from, until }) => until > from)
    .sort((one, other) => one.from - other.from);
  const joined: Stretch[] = [];
  for (const stretch of within) {
    const last = joined.at(-1);
    if (last && stretch.from <= last.until + SAME_STRETCH) last.until = Math.max(last.until, stretch.until);
    else joined.push({ ...stretch });
  }
  const [first, last] = [joined[0], joined.at(-1)];
  if (!first || !last) return null;
  const there = joined.reduce((sum, { from, until }) => sum + until - from, 0);
  return { fromAt: first.from, untilAt: last.until, minutes: Math.floor(there / MINUTE), times: joined.length };
}
