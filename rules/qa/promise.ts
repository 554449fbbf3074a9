import type { PromiseKind } from '#contract/values/answer-promise.ts';

/** Which days are worked in China: a Sunday may be, a Monday may not (调休). Days are written YYYY-MM-DD. */
export interface WorkingDays {
  /** The years of which all days are known; of any other nothing is promised. */
  years: ReadonlySet<number>;
  /** Days of public holidays with the holiday's name, their weekends included. */
  off: ReadonlyMap<string, string>;
  /** Saturdays and Sundays that are worked instead. */
  worked: ReadonlySet<string>;
}

interface Promised {
  kind: PromiseKind;
  /** The answer is promised before this moment (epoch milliseconds); null: nothing is. */
  promisedAt: number | null;
  /** The day of that moment; '' when nothing is promised. */
  date: string;
  /** The public holiday that it is today; '' on every other day. */
  holiday: string;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** China has one zone, and its clocks are never moved. */
const CHINA = 8 * 60 * MINUTE;
/** Who asks before 18:00 is answered the same day (spec §9). */
const ASKED_BY = 18 * 60 * MINUTE;
/** By when answers are promised: 18:30. */
const ANSWERED_BY = ASKED_BY + 30 * MINUTE;
/** Far more than any holiday has; a table that says that nothing is worked promises nothing. */
const LOOKED_AHEAD = 60;

const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);

/** Whether a day is worked; null: its year is not known. @param day counted from 1970-01-01 in China */
function isWorked(day: number, { years, off, worked }: WorkingDays): boolean | null {
  const date = dateOf(day);
  if (!years.has(Number(date.slice(0, 4)))) return null;
  if (worked.has(date)) return true;
  if (off.has(date)) return false;
  // The first day of 1970 was a Thursday.
  const weekday = (day + 4) % 7;
  return weekday !== 0 && weekday !== 6;
}

/**
 * By when a question asked at this moment is answered (spec §9; decisions §6): before 18:00 of a working day the same day before 18:30, else the
 * next working day before 18:30. On a day of a public holiday the kind is `holiday`, and the date is the one on which
 * Q&A is back. Where the way there leads through a year that is not known, nothing is promised.
 * @param now epoch milliseconds
 */
export function promiseAt(now: number, days: WorkingDays): Promised {
  const today = Math.floor((now + CHINA) / DAY);
  const date = dateOf(today);
  const nothing: Promised = { kind: 'unknown', promisedAt: null, date: '', holiday: '' };
  const inTime = now + CHINA - today * DAY < ASKED_BY;
  for (let day = today; day <= today + LOOKED_AHEAD; day += 1) {
    const worked = isWorked(day, days);
    if (worked === null) return nothing;
    if (!worked || (day === today && !inTime)) continue;
    const holiday = days.worked.has(date) ? '' : (days.off.get(date) ?? '');
    const kind = day === today ? 'today' : holiday === '' ? 'nextWorkingDay' : 'holiday';
    return { kind, promisedAt: day * DAY - CHINA + ANSWERED_BY, date: dateOf(day), holiday };
  }
  return nothing;
}

/** The first year within so many days that is not known, for the operator to be told in time; null: all are. */
export function yearUnknownWithin(now: number, aheadDays: number, { years }: WorkingDays): number | null {
  const today = Math.floor((now + CHINA) / DAY);
  for (const day of [today, today + aheadDays]) {
    const year = Number(dateOf(day).slice(0, 4));
    if (!years.has(year)) return year;
  }
  return null;
}
