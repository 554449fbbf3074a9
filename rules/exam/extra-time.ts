import { GIVEN_MOST } from '#contract/values/exam.ts';
import type { RecordBounds } from './attempt.ts';

/** What decides whether a record may be given time. */
interface Extendable extends Pick<RecordBounds, 'endsAt' | 'submittedAt'> {
  /** Minutes that it was given before. */
  extraMinutes: number;
}

type MayGive = { ok: true; endedAt: number; endsAt: number } | { ok: false; why: 'closed' | 'noEnd' | 'tooMuch' };

/**
 * Whether a record may be given time back (补时), and when it ends then: so many minutes after its end, or after now where
 * that has passed and the server has not closed it yet (an outage at the end of an exam). What is closed is not opened by this:
 * rules/exam/reopen.ts.
 */
export function mayGiveTime({ endsAt, submittedAt, extraMinutes }: Extendable, minutes: number, now: number): MayGive {
  if (submittedAt !== null) return { ok: false, why: 'closed' };
  if (endsAt === null) return { ok: false, why: 'noEnd' };
  if (extraMinutes + minutes > GIVEN_MOST) return { ok: false, why: 'tooMuch' };
  return { ok: true, endedAt: endsAt, endsAt: Math.max(endsAt, now) + minutes * 60_000 };
}

/**
 * Whether a window that hands in because the time is over does not know of time that was given meanwhile: then it goes on
 * instead. A student who hands in themself does so whenever they like.
 * @param known minutes that the window knows of; undefined: the student hands in
 */
export function handsInTooSoon(
  { endsAt, submittedAt, extraMinutes }: Extendable,
  known: number | undefined,
  now: number,
): boolean {
  return known !== undefined && submittedAt === null && endsAt !== null && extraMinutes > known && now < endsAt;
}
