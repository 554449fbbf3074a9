import { LIVE_EARLY } from '#contract/values/live.ts';
import { byPartName } from './part-name.ts';

/** The clocks of two machines, one of which records, are not further apart (milliseconds). */
export const CLOCKS_APART = 5000;

/** A part of a recording. `from`: when it began, as its name says (epoch milliseconds); `length`: how long it is (milliseconds). */
interface RecordedPart {
  name: string;
  from: number;
  length: number;
}

/** From when on what is sent belongs to a lesson: what came more than half an hour before it, and before it was started, was a trial. */
export const recordedFrom = ({ startTime, startedAt }: { startTime: number; startedAt: number }): number =>
  Math.min(startedAt, startTime - LIVE_EARLY);

/**
 * What of a part belongs to its lesson: a trial may go on into it, and a lesson whose clock was in doubt was noted late. Where names and
 * times disagree a clock was set meanwhile, and nothing is left out.
 * @param firstPart the part that was being written when the lesson was noted to have begun, or the last one before; empty: the first one
 * @param begins from when on it belongs to it, as `recordedFrom` says
 * @returns milliseconds of its beginning that were a trial; null: all of it was
 */
export function trialOf(
  { name, from, length }: RecordedPart,
  { firstPart, begins }: { firstPart: string; begins: number },
): number | null {
  const named = byPartName(name, firstPart) >= 0;
  // Within the doubt about two clocks the names say it.
  const at = named ? begins - CLOCKS_APART : begins + CLOCKS_APART;
  if (from >= at) return 0;
  if (at < from + length) return at - from;
  return named ? 0 : null;
}
