/** Milliseconds by which two readings may differ and still be one clock: what is less is followed, what is more is a step. */
export const TOLERANCE = 1000;
/** By so many milliseconds a reading moves the time at most, so that a drift is followed and nobody sees time jump. */
export const SLEW = 50;
/** A step is believed when the clock has stood at its new time for so many milliseconds of monotonic time … */
export const CONFIRM = 30_000;
/** … and was read so often there. */
const CONFIRM_READINGS = 10;

/** What was read in one moment, in milliseconds. */
export interface ClockReading {
  /** The monotonic clock: no one sets it, but it stands still while the machine is suspended. */
  monotonic: number;
  /** The time that the machine's wall clock, or the database, tells (epoch). */
  told: number;
  /** By how much `told` may be wrong, since asking took time. */
  within: number;
  /** How long the machine has been up, its sleep included; null where that cannot be read. */
  uptime: number | null;
}

/** What is known of the time. */
export interface ClockState {
  /** The time is the monotonic clock and this. */
  offset: number;
  /** Monotonic time of the last reading, and the uptime it gave. */
  readAt: number;
  uptime: number | null;
  /** Monotonic time from which a clock that was just started is believed. */
  sureFrom: number;
  /** A step that is not confirmed: where the clock stands now, since when, and how often it was read there. */
  doubt: { offset: number; since: number; readings: number } | null;
}

/**
 * What a reading says: nothing new (drift is followed) · the machine was asleep · a step is seen · it waits for its
 * confirmation · it is gone again · it is confirmed and adopted.
 */
type ClockEvent = 'steady' | 'slept' | 'seen' | 'waiting' | 'gone' | 'adopted';

/** The clock at its start. What it told first may be wrong (a machine that has not been set yet), so it is not believed at once. */
export function clockAtStart({ monotonic, told, uptime }: ClockReading): ClockState {
  return { offset: told - monotonic, readAt: monotonic, uptime, sureFrom: monotonic + CONFIRM, doubt: null };
}

/** Whether the time is beyond doubt: what cannot be undone waits until it is (decisions §3 "A wrong clock"). */
export function isSure({ doubt, readAt, sureFrom }: ClockState): boolean {
  return doubt === null && readAt >= sureFrom;
}

/**
 * Decides what a reading does to the time (decisions §3: time runs on a monotonic clock set from the wall clock or from
 * PostgreSQL). A clock that moved by more than the tolerance is not followed until it has stood at its new time for
 * `CONFIRM`; the time runs on meanwhile. Sleep is no step: the machine itself says how long it slept, and that time has passed.
 * @returns `by`: milliseconds by which the time is, or would be, moved; negative: back
 */
export function clockStep(
  state: ClockState,
  { monotonic, told, within, uptime }: ClockReading,
): { state: ClockState; event: ClockEvent; by: number } {
  const slept = sleepBetween(state, monotonic, uptime);
  const offset = state.offset + slept;
  const known = { ...state, readAt: monotonic, uptime, offset };
  const standsAt = told - monotonic;
  const apart = beyond(standsAt - offset, within);
  if (Math.abs(apart) <= TOLERANCE) {
    const event = slept > 0 ? 'slept' : state.doubt ? 'gone' : 'steady';
    const followed = offset + Math.max(-SLEW, Math.min(SLEW, apart));
    return { state: { ...known, offset: followed, doubt: null }, event, by: slept };
  }
  const before = state.doubt && { ...state.doubt, offset: state.doubt.offset + slept };
  if (!before || Math.abs(beyond(standsAt - before.offset, within)) > TOLERANCE) {
    const doubt = { offset: standsAt, since: monotonic, readings: 1 };
    return { state: { ...known, doubt }, event: 'seen', by: apart };
  }
  const doubt = { ...before, readings: before.readings + 1 };
  if (monotonic - doubt.since < CONFIRM || doubt.readings < CONFIRM_READINGS) {
    return { state: { ...known, doubt }, event: 'waiting', by: apart };
  }
  return { state: { ...known, offset: standsAt, doubt: null }, event: 'adopted', by: standsAt - offset };
}

/** Milliseconds for which the machine was suspended since the last reading; what may be an error of reading is none. */
function sleepBetween(state: ClockState, monotonic: number, uptime: number | null): number {
  if (uptime === null || state.uptime === null) return 0;
  const slept = uptime - state.uptime - (monotonic - state.readAt);
  return slept > TOLERANCE ? slept : 0;
}

/** What of a difference is more than an error of reading. */
function beyond(difference: number, within: number): number {
  return Math.sign(difference) * Math.max(0, Math.abs(difference) - within);
}
