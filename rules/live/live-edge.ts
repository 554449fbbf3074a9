/** How a player stands in what it holds of a live stream. Seconds. */
interface Edge {
  position: number;
  /** What it holds without a gap up to the newest picture. */
  from: number;
  until: number;
  rate: number;
  /** How far behind the newest picture it wants to be: more where the network stumbles. */
  target: number;
}

/** Seconds behind the newest picture that are wanted at first, and at most after stalls. */
export const TARGET = 0.7;
const LARGEST_TARGET = 2;
const MORE_AFTER_STALL = 0.3;
/** So far beyond the target it plays faster, until it is there. */
const LATE = 0.6;
/** So far beyond the target it jumps: catching up would take too long to be worth hearing. */
const LOST = 2.5;
const FASTER = 1.15;
/** From here on somebody is told how far behind they are, and offered the way back (seconds). */
export const BEHIND = 4;

/** The same for HLS, of which a player holds back three segments (RFC 8216 §6.3.3): where to go back to, and from where it is late (seconds). */
export const HLS_EDGE = { target: 6, late: 20 } as const;

/**
 * What a player does to be near the newest picture: nothing, another rate, or a jump. It jumps over gaps too, and from before the
 * beginning of what it holds.
 */
export function followEdge({ position, from, until, rate, target }: Edge): { jumpTo: number | null; rate: number } {
  const wanted = Math.max(from, until - target);
  const behind = until - position;
  if (position < from || position > until || behind > target + LOST) return { jumpTo: wanted, rate: 1 };
  if (behind > target + LATE) return { jumpTo: null, rate: FASTER };
  // Once it chases it goes on until it is there, so that the rate does not flutter.
  return { jumpTo: null, rate: rate > 1 && behind > target ? FASTER : 1 };
}

/** The target after the player ran dry. */
export const afterStall = (target: number): number => Math.min(LARGEST_TARGET, target + MORE_AFTER_STALL);

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15_000;

/**
 * How long a window waits before it opens the stream again (milliseconds): longer after each try in vain, and spread by chance over
 * what the server asked for, the first try too, so that a thousand windows do not come at once.
 * @param chance 0 to 1
 */
export function waitToWatch(tries: number, spread: number, chance: number): number {
  const base = tries === 0 ? 0 : Math.min(FIRST_WAIT * 2 ** (tries - 1), LONGEST_WAIT);
  return Math.round(base + chance * Math.max(spread, base));
}
