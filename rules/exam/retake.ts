import type { CountedRecord } from '#contract/values/exam.ts';

/** How a paper may be sat again. */
export interface RetakeRule {
  /** Records a student may begin in all; null: as many as they like. */
  most: number | null;
  /** Minutes between the end of one record and the start of the next; null: none. */
  after: number | null;
  /** Which finished record of a student counts in the ranking. */
  counts: CountedRecord;
}

/** What a student has done of a paper. A record that the operator opened again is the same one still. */
interface Attempts {
  /** Records begun. */
  taken: number;
  /** When the newest record closed; null while it is open, or there is none. Epoch milliseconds. */
  lastClosedAt: number | null;
}

/** Where a student stands by the rule of a paper. */
export interface RetakeState {
  most: number | null;
  after: number | null;
  counts: CountedRecord;
  taken: number;
  /** How many records they may still begin; null: as many as they like. */
  left: number | null;
  /** Not before this moment; null: at any time, or never again. */
  nextAt: number | null;
}

/** What of a paper's rule a student is told before a start. */
export function retakeState({ most, after, counts }: RetakeRule, { taken, lastClosedAt }: Attempts): RetakeState {
  const left = most === null ? null : Math.max(0, most - taken);
  const nextAt = after === null || lastClosedAt === null || left === 0 ? null : lastClosedAt + after * 60_000;
  return { most, after, counts, taken, left, nextAt };
}

type MayBegin = { ok: true } | { ok: false; why: 'noAttemptsLeft' | 'retakeTooSoon' };

/** Whether a new record may begin now; one that is open is resumed and asks nobody. */
export function mayRetake({ left, nextAt }: Pick<RetakeState, 'left' | 'nextAt'>, now: number): MayBegin {
  if (left === 0) return { ok: false, why: 'noAttemptsLeft' };
  return nextAt !== null && now < nextAt ? { ok: false, why: 'retakeTooSoon' } : { ok: true };
}
