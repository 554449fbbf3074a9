import { MOST_PLACES, REPORT_EVERY } from '#contract/values/play.ts';

/** What was played of a lesson since the last report of it, seconds. */
export interface Played {
  places: readonly { from: number; to: number }[];
  /** Where it is now. */
  position: number;
  /** When that was read, milliseconds of a clock that is never set; null: it did not play then. */
  readAt: number | null;
  /** The rate of all of it. */
  rate: number;
  /** Seconds of the ticker since the last report (spec §4 Player). */
  ticks: number;
  /** The place that the server was told last. */
  told: number;
}

/** What one look at the player sees. */
interface Seen {
  position: number;
  /** When that was read, not when it is told: a page that is busy tells late. Milliseconds of the same clock. */
  now: number;
  /** The rate of the element itself. */
  rate: number;
  /** It moves: play was pressed, and it does not wait for data. */
  moving: boolean;
}

/** A report that is due, without what names the lesson (contract/play.ts). */
interface Portion {
  duration: number;
  position: number;
  rate: number;
  places: { from: number; to: number }[];
}

/** Seconds by which a step may be longer than the clock says: looks are uneven. A longer one is a jump. */
const UNEVEN = 0.5;
/** Steps that begin this near the end of a place go on with it. */
const JOINED = 0.3;

/** Before anything is played. @param position seconds */
export function playedAtStart(position: number): Played {
  return { places: [], position, readAt: null, rate: 1, ticks: 0, told: position };
}

/**
 * Takes a look at the player. What lies between two places is played when the player moved at both looks and the clock had time for it at
 * the rate; else somebody jumped, or it stood. Time is never counted by itself: a film that stalls, or a tab whose timers
 * sleep, is as long as its places say.
 */
export function playedAfter(played: Played, { position, now, rate, moving }: Seen): Played {
  const next = { ...played, position, rate, readAt: moving ? now : null };
  if (played.readAt === null) return next;
  const step = position - played.position;
  const most = ((now - played.readAt) / 1000) * Math.max(rate, played.rate) + UNEVEN;
  if (step <= 0 || step > most) return next;
  const last = played.places.at(-1);
  const goesOn = last !== undefined && Math.abs(played.position - last.to) <= JOINED;
  const places = goesOn
    ? [...played.places.slice(0, -1), { from: last.from, to: position }]
    : [...played.places, { from: played.position, to: position }];
  return { ...next, places };
}

/** One second of the ticker, which runs while it plays. */
export const playedTick = (played: Played): Played => ({ ...played, ticks: played.ticks + 1 });

/** Whether it is time for a report: 30 s of the ticker (spec §9), or as many places as one report takes. */
export const isReportDue = ({ ticks, places }: Played): boolean =>
  ticks >= REPORT_EVERY || places.length >= MOST_PLACES;

/** Takes what is to be reported out; null: nothing was played. `moved`: the place alone is another than the server knows. */
export function takePortion(played: Played): { portion: Portion | null; moved: boolean; left: Played } {
  const { position, rate } = played;
  const places = played.places.map(({ from, to }) => ({ from: round(from), to: round(to) })).slice(-MOST_PLACES);
  const duration = round(places.reduce((sum, { from, to }) => sum + (to - from), 0));
  const left = { ...played, places: [], ticks: 0, told: position };
  const moved = Math.abs(position - played.told) >= 1;
  if (duration === 0) return { portion: null, moved, left: moved ? left : { ...left, told: played.told } };
  // The server takes rates that people choose; a browser may say a little less or more.
  return {
    portion: { duration, position: round(position), rate: Math.min(2, Math.max(0.25, rate)), places },
    moved,
    left,
  };
}

const round = (seconds: number) => Math.round(seconds * 1000) / 1000;
