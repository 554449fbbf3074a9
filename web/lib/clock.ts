/**
 * The server's clock as seen from this page (decisions §3 "The server owns time"). The device's wall clock may be wrong
 * or set by hand, so elapsed time is taken from the monotonic clock and only the server says what time it is.
 */
interface Clocks {
  /** Monotonic milliseconds; may stand still while the machine sleeps. */
  mono(): number;
  /** The device's wall clock, used only to notice that the monotonic clock stood still. */
  wall(): number;
}

/** Wall and monotonic clock may part this far, in milliseconds, before the time is in doubt. */
const doubtAfter = 800;
/** How long a guess counts as having been on its way, in milliseconds: longer than any answer. */
const oldTrip = 60_000;
/** A better (quicker) sample is kept this long, in milliseconds, before a slower one may replace it. */
const sampleLife = 5 * 60_000;

interface ServerClock {
  /** Server time in epoch milliseconds. Before the first sample it is the device's time. */
  now(): number;
  /** True after the first answer of the server. */
  known(): boolean;
  /**
   * Takes a server time that was read between two moments of the monotonic clock. A sample asked for
   * before the machine slept is not taken: it may be as old as the sleep.
   */
  sample(serverTime: number, sentMono: number, receivedMono: number): void;
  /** Takes a server time that is some seconds old, until an answer says better. */
  guess(serverTime: number): void;
  /**
   * True when the machine slept or its clock was set since the last sample, so that `now()` may be behind: ask the
   * server again. `now()` keeps to the monotonic clock until then; a device clock that jumps ahead must not end an exam.
   */
  doubtful(): boolean;
  /**
   * While the clock is in doubt, the latest that it may be: by the device's own clock, which went on while the machine slept,
   * and may as well have been set. Never earlier than `now()`.
   */
  latest(): number;
}

/** A clock of the server that has heard nothing yet: until the first `sample` it says the time of this device. */
export function createClock(clocks: Clocks): ServerClock {
  let base: { server: number; mono: number; wall: number; trip: number } | null = null;
  // When the latest sleep was noticed, by the monotonic clock, and how far the clocks had parted then.
  let slept: { mono: number; drift: number } | null = null;
  const doubtful = () => {
    if (base === null) return true;
    const mono = clocks.mono();
    const drift = clocks.wall() - base.wall - (mono - base.mono);
    if (Math.abs(drift) <= doubtAfter) slept = null;
    else if (slept === null || Math.abs(drift - slept.drift) > doubtAfter) slept = { mono, drift };
    return slept !== null;
  };
  const clock: ServerClock = {
    now: () => (base === null ? clocks.wall() : Math.round(base.server + clocks.mono() - base.mono)),
    latest() {
      if (base === null) return clocks.wall();
      const passed = Math.max(clocks.mono() - base.mono, clocks.wall() - base.wall);
      return Math.round(base.server + passed);
    },
    known: () => base !== null,
    sample(serverTime, sentMono, receivedMono) {
      // Asked before the sleep and read after it: the sleep is in between, and the monotonic clock did not see it.
      if (doubtful() && slept !== null && sentMono < slept.mono) return;
      const trip = receivedMono - sentMono;
      const fresh = base !== null && clocks.mono() - base.mono < sampleLife && !doubtful();
      // A slow round trip says less about the moment in which the server read its clock.
      if (base !== null && fresh && trip > base.trip) return;
      const mono = clocks.mono();
      base = { server: serverTime + trip / 2 + (mono - receivedMono), mono, wall: clocks.wall(), trip };
      slept = null;
    },
    guess(serverTime) {
      // As of a trip so slow that whatever comes after it is better.
      const mono = clocks.mono();
      clock.sample(serverTime - oldTrip / 2, mono - oldTrip, mono);
    },
    doubtful,
  };
  return clock;
}

/** The clock of this page. `send` samples it from every answer that carries the server's `now`. */
export const serverClock: ServerClock = createClock({ mono: () => performance.now(), wall: () => Date.now() });

/** Server time in epoch milliseconds. */
export function serverNow(): number {
  return serverClock.now();
}
