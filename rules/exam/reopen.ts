import type { Closed } from '#contract/values/exam.ts';
import type { Graded } from './scoring.ts';

/** A record that is to be opened again. */
interface Reopenable {
  closed: Closed | null;
  submittedAt: number | null;
  /** When it was to end; null: no time limit. */
  endsAt: number | null;
}

type MayReopen =
  | { ok: true; endsAt: number | null }
  | { ok: false; why: 'notClosed' | 'openBeside' | 'noEnd' | 'noReason' };

/** Minutes that a reopened record may get at most: a day. */
export const MOST_MINUTES = 24 * 60;

/**
 * Whether a closed record may be opened again, and when it ends then. One with a time limit needs a new end, since its own
 * has passed or was wrong; one without keeps none. Of one exam a student has one open record at most.
 * @param openBeside whether the student has another record of this exam open
 * @param minutes from now on; null: not said
 */
export function mayReopen(
  record: Reopenable,
  { openBeside, reason, minutes, now }: { openBeside: boolean; reason: string; minutes: number | null; now: number },
): MayReopen {
  if (reason.trim() === '') return { ok: false, why: 'noReason' };
  if (record.submittedAt === null || record.closed === null) return { ok: false, why: 'notClosed' };
  if (openBeside) return { ok: false, why: 'openBeside' };
  if (record.endsAt === null) return { ok: true, endsAt: null };
  const fits = minutes !== null && Number.isInteger(minutes) && minutes >= 1 && minutes <= MOST_MINUTES;
  return fits ? { ok: true, endsAt: now + minutes * 60_000 } : { ok: false, why: 'noEnd' };
}

/**
 * What the statistics hold of one graded question of a closed record, to be taken back when it is opened again: how
 * `recordCloser` and the student's own score counted it.
 * @param selfScored types 4 and 8
 * @param shown its key was shown before the closing: then its answer was counted at that time, and stays counted
 * @param closed how the record was closed; the points of one that ended without any answer count nowhere
 */
export function countedOf(
  { state }: Pick<Graded, 'state'>,
  { selfScored, shown, closed }: { selfScored: boolean; shown: boolean; closed: Closed | null },
): { points: boolean; answer: boolean } {
  if (state === 4) return { points: false, answer: false };
  return { points: closed !== 'unanswered', answer: state !== 0 && state !== 5 && (selfScored || !shown) };
}
