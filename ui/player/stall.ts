/** Milliseconds without moving after which the stream is asked for again, and after which the player gives up. */
const NUDGE_AFTER = 8000;
const GIVE_UP_AFTER = 30_000;
/** Seconds that lie ready ahead of the place and are still not played: it cannot be the network. */
const READY = 1;

/** What the player's own clock sees once a second. */
export interface Look {
  /** Milliseconds of a clock that is never set. */
  now: number;
  /** Seconds. */
  position: number;
  /** It should be moving: somebody pressed play, and it has not ended. */
  wanted: boolean;
  /** Seconds that are loaded ahead of the position. */
  ahead: number;
  online: boolean;
}

/** Since when, and at which place, it has not moved. */
export interface StallClock {
  since: number;
  position: number;
  nudged: boolean;
}

/**
 * Watches for a stream that hangs without an error: a codec that nothing decodes, a request that never ends (spec §8 knows the
 * errors of the element alone). While there is no network it only waits: that ends by itself.
 * @returns `nudge`: ask for the stream again, once · `decode`, `network`: give up, as code 3 or 4 · null: nothing to do
 */
export function watchStall(
  clock: StallClock | null,
  look: Look,
): { clock: StallClock | null; verdict: 'nudge' | 'decode' | 'network' | null } {
  const { now, position, wanted, ahead, online } = look;
  if (!wanted) return { clock: null, verdict: null };
  if (clock === null || clock.position !== position || !online)
    return { clock: { since: now, position, nudged: false }, verdict: null };
  const stood = now - clock.since;
  if (stood >= GIVE_UP_AFTER) return { clock: null, verdict: ahead >= READY ? 'decode' : 'network' };
  if (stood >= NUDGE_AFTER && !clock.nudged) return { clock: { ...clock, nudged: true }, verdict: 'nudge' };
  return { clock, verdict: null };
}
