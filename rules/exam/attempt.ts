import type { Closed } from '#contract/values/exam.ts';

/** Milliseconds after the end in which a save that left in time may still arrive (decisions §3). */
export const GRACE = 10_000;
/**
 * Milliseconds after the end at which the server closes a record by itself: later than the grace, so that a save which
 * arrived in time and waits for its commit is not overtaken by the closing.
 */
export const CLOSE_AFTER = GRACE + 2_000;

/** What decides about a change of a record. Times are server time in epoch milliseconds. */
export interface RecordBounds {
  startedAt: number;
  /** Null: no time limit. */
  endsAt: number | null;
  submittedAt: number | null;
  closed: Closed | null;
  /** The window that may save; null: a client that names no window. */
  windowId: string | null;
}

/** What the server stores of an answer; decides about its next save. */
export interface StoredAnswer {
  answer: string | null;
  seq: number;
  /** Practice: when its key was shown. */
  shownAt: number | null;
}

type Times = Pick<RecordBounds, 'endsAt'>;

/**
 * The highest sequence number that is taken now. Plain counts, milliseconds and microseconds all fit, with a day for a
 * clock that is ahead. It grows with the clock, so that above every number that was ever taken there is room for the next:
 * one absurd number must not shut out all later saves.
 */
export function highestSeq(now: number): number {
  return (now + 86_400_000) * 1000;
}

/** When a record that starts now ends; null without a limit. */
export function endOf(startedAt: number, minutes: number | null): number | null {
  return minutes === null ? null : startedAt + minutes * 60_000;
}

/** Milliseconds left, never below 0; null without a limit. The one function behind countdown and refusal. */
export function timeLeft({ endsAt }: Times, now: number): number | null {
  return endsAt === null ? null : Math.max(0, endsAt - now);
}

/** Whether what arrives now comes too late even with the grace. */
function isTooLate({ endsAt }: Times, now: number): boolean {
  return endsAt !== null && now > endsAt + GRACE;
}

/** Whether the server closes this record itself now: the sweeper, or a start that finds it still open. */
export function isOverdue({ endsAt, submittedAt }: Pick<RecordBounds, 'endsAt' | 'submittedAt'>, now: number): boolean {
  return submittedAt === null && endsAt !== null && now > endsAt + CLOSE_AFTER;
}

type MayMark = { ok: true } | { ok: false; why: 'tooLate' | 'takenOver' };
type MayChange = MayMark | { ok: false; why: 'alreadySubmitted' };

/**
 * Whether a window may change a record now; the time of arrival at the server decides (decisions §3). Only the window that
 * started or last took over the record may, and none after hand-in. A record that ended by time answers "too late" even to
 * a save that arrived within the grace but after the closing: it is stored as evidence like any late save.
 */
export function mayChange(record: RecordBounds, windowId: string | undefined, now: number): MayChange {
  if (record.submittedAt !== null) {
    return { ok: false, why: record.closed === 'submitted' ? 'alreadySubmitted' : 'tooLate' };
  }
  return mayMark(record, windowId, now);
}

/**
 * Whether a window may mark a question of a record now (标记). While the record is open a mark follows window and time as an
 * answer does. After hand-in it is no answer any more but the student's own note in the review (spec §4 examType 2): set
 * and taken away from any window, however long ago the end was.
 */
export function mayMark(record: RecordBounds, windowId: string | undefined, now: number): MayMark {
  if (record.submittedAt !== null) return { ok: true };
  if (isTooLate(record, now)) return { ok: false, why: 'tooLate' };
  if ((windowId ?? null) !== record.windowId) return { ok: false, why: 'takenOver' };
  return { ok: true };
}

type Acceptance =
  /** `write`: it is to be stored under `seq`. Else there is nothing to store: `stale` when a newer answer is stored. */
  | { ok: true; write: boolean; stale: boolean; seq: number }
  | { ok: false; why: 'tooLate' | 'alreadySubmitted' | 'takenOver' | 'answerShown' | 'seqTaken' | 'badInput' };

/**
 * Decides about one save (decisions §3 "No acknowledged answer is ever lost"). The highest sequence number of a question
 * wins; the same number with the same answer is a repetition and welcome, with another answer it is refused: neither is the
 * newer one, and its student has to hear that it was not stored. An answer whose key was shown is final. A client that
 * counts nothing gets the next number, so its last save wins. A repetition of what is stored is never too late.
 * @param stored what is stored of the question, or null
 */
export function acceptAnswer(
  record: RecordBounds,
  save: { answer: string; seq?: number | undefined; windowId?: string | undefined },
  stored: StoredAnswer | null,
  now: number,
): Acceptance {
  const may = mayChange(record, save.windowId, now);
  if (!may.ok) {
    const repeated = stored !== null && save.seq === stored.seq && save.answer === stored.answer;
    return may.why === 'tooLate' && repeated ? { ok: true, write: false, stale: false, seq: stored.seq } : may;
  }
  if (save.seq !== undefined && save.seq > highestSeq(now)) return { ok: false, why: 'badInput' };
  const storedSeq = stored?.seq ?? 0;
  const seq = save.seq ?? Math.min(Math.max(storedSeq + 1, now), Number.MAX_SAFE_INTEGER);
  if (stored !== null && seq === storedSeq && save.answer === stored.answer)
    return { ok: true, write: false, stale: false, seq };
  if (stored !== null && stored.shownAt !== null) return { ok: false, why: 'answerShown' };
  if (stored !== null && save.seq === storedSeq) return { ok: false, why: 'seqTaken' };
  if (seq <= storedSeq) return { ok: true, write: false, stale: true, seq: storedSeq };
  return { ok: true, write: true, stale: false, seq };
}

/**
 * How a record closes now: by the student before the end, else by time, as 未作答 when nothing was answered. A record that
 * the server closes after the grace counts as handed in at its end, however late the server gets to it.
 */
export function closing(record: Times, answered: boolean, now: number): { closed: Closed; submittedAt: number } {
  const { endsAt } = record;
  if (endsAt === null || now < endsAt) return { closed: 'submitted', submittedAt: now };
  return { closed: answered ? 'timeUp' : 'unanswered', submittedAt: isTooLate(record, now) ? endsAt : now };
}

/**
 * Seconds that stand for an open record once one of its windows has counted so many: the greatest count, and never more than the record has
 * been open.
 */
export function notedSeconds(
  { startedAt, totalTime }: Pick<RecordBounds, 'startedAt'> & { totalTime: number },
  counted: number,
  now: number,
): number {
  const open = Math.max(0, Math.floor((now - startedAt) / 1000));
  return Math.max(totalTime, Math.min(Math.floor(counted), open));
}

/**
 * Seconds spent. With a time limit, from start to hand-in and never more than the limit; without one, as the student's
 * windows counted (a practice may lie for days), bounded by the wall clock.
 */
export function usedSeconds(
  { startedAt, endsAt, submittedAt }: Pick<RecordBounds, 'startedAt' | 'endsAt'> & { submittedAt: number },
  reported: number,
): number {
  const wall = Math.max(0, Math.round((Math.min(submittedAt, endsAt ?? submittedAt) - startedAt) / 1000));
  return endsAt === null && reported > 0 ? Math.min(reported, wall) : wall;
}
