/** How today's review of a pack stands, as its card says it. Dates are China's days, YYYY-MM-DD. */
type DailyState =
  | { code: 'left'; count: number; done: number }
  | { code: 'done'; done: number }
  | { code: 'next'; date: string; inDays: 1 | null; count: number }
  | { code: 'nothing' };

/** What `dailyState` looks at. */
interface Daily {
  /** Left of today's set. */
  count: number;
  done: number;
  /** Whether a review of today was begun and is not handed in. */
  open: boolean;
  /** Today and the days after it, in order. */
  forecast: readonly { date: string; reviews: number }[];
}

/** What is left today, or that it is done, or on which day it goes on. @param tomorrow the day after `today` */
export function dailyState({ count, done, open, forecast }: Daily, today: string, tomorrow: string): DailyState {
  if (count > 0 || open) return { code: 'left', count, done };
  if (done > 0) return { code: 'done', done };
  const next = forecast.find(({ date, reviews }) => reviews > 0 && date > today);
  if (next === undefined) return { code: 'nothing' };
  return { code: 'next', date: next.date, inDays: next.date === tomorrow ? 1 : null, count: next.reviews };
}

/** How far the exam is: its day is not set, over, today, or in so many days. */
export function examDayState(
  daysLeft: number | null,
): { code: 'unset' } | { code: 'over' } | { code: 'today' } | { code: 'ahead'; count: number } {
  if (daysLeft === null) return { code: 'unset' };
  if (daysLeft < 0) return { code: 'over' };
  return daysLeft === 0 ? { code: 'today' } : { code: 'ahead', count: daysLeft };
}

/** The last days before the exam, in which every question is to be seen once more (decision 022). */
const LAST_DAYS = 7;

/**
 * Whether the last days before the exam hold every question once more by the daily number: they do, they would with `need` a day, or
 * they cannot; null: no exam is ahead. @param most the largest daily number there is
 */
export function lastDaysState(
  { total, dailySize, daysLeft }: { total: number; dailySize: number; daysLeft: number | null },
  most: number,
): { code: 'all' } | { code: 'more'; need: number } | { code: 'tooMany' } | null {
  if (daysLeft === null || daysLeft < 1) return null;
  const need = Math.ceil(total / Math.min(LAST_DAYS, daysLeft));
  if (need <= dailySize) return { code: 'all' };
  return need <= most ? { code: 'more', need } : { code: 'tooMany' };
}
