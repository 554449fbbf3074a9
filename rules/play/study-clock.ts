/** When a student can have begun to play a lesson, as the server knows it (its time, milliseconds). */
export interface Begun {
  /** The right to play its media was given them first; null: never that is known. */
  rightAt: number | null;
  /** They said something of the lesson first; null: never. */
  firstAt: number | null;
  /** Since when rights are noted at all. */
  notedSince: number;
}

/**
 * Clock time that may be reported later: one interval of reports, what a player has buffered, and a network that was away for
 * a moment. Who reports nothing for longer does not save up time. Milliseconds.
 */
const KEPT_FOR = 180_000;
/** The times of two servers may differ by so much before either follows the other (rules/clock/step.ts). Milliseconds. */
export const SLACK = 1000;
/** So long after rights began to be noted there are pages that hold one from before (three times its life). Milliseconds. */
const UNNOTED = 15 * 60_000;

/**
 * Since when a person's time pays for what they report of a lesson: each millisecond of it once, whatever windows, devices or lessons
 * report; none of it from before the lesson can have begun to play, and no more than `KEPT_FOR` at once.
 * @param spentUntil up to when the person's time is used; null: they never reported
 */
export function paysFrom(spentUntil: number | null, begun: Begun, now: number): number {
  return Math.min(now, Math.max(spentBefore(spentUntil, now), now - KEPT_FOR, begunAt(begun, now) - SLACK));
}

/**
 * Up to when the person's time is used. A little ahead it is by a report that overtook another one; what is used further ahead was used before
 * the clock was set back, and would cost a person the hours until then. 0: none that is known.
 */
const spentBefore = (spentUntil: number | null, now: number) =>
  spentUntil === null || spentUntil > now + KEPT_FOR ? 0 : spentUntil;

/**
 * Up to when the person's time is used after a report that was paid up to `paidUntil`. Where another server's clock is ahead by less than `SLACK`, it stays
 * where that one put it, or the same moments would be paid twice; where it lies further ahead, the clock was set back, and it goes back too.
 * @param spentUntil up to when it was used before it
 */
export const spentAfter = (spentUntil: number | null, paidUntil: number, now: number): number =>
  spentUntil !== null && spentUntil <= now + SLACK ? Math.max(spentUntil, paidUntil) : paidUntil;

/** The first that is known of a lesson; `now` where nothing is. 0: it cannot be told, and binds nobody. */
function begunAt({ rightAt, firstAt, notedSince }: Begun, now: number): number {
  if (now - notedSince < UNNOTED) return 0;
  const known = [rightAt, firstAt].filter((at) => at !== null);
  if (known.length === 0) return now;
  // What lies ahead was noted before the clock was set back.
  const past = known.filter((at) => at <= now);
  return past.length === 0 ? 0 : Math.min(...past);
}
