const DAY = 86_400_000;

/** When a calendar day begins, counted as if the world had one clock. */
const startOf = (date: string) => {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return Date.UTC(year, month - 1, day);
};
const dateAt = (at: number) => new Date(at).toISOString().slice(0, 10);

/**
 * How many days in a row were studied up to today. A day that is not over yet breaks nothing.
 * @param dates China's days (YYYY-MM-DD) on which something was answered
 */
export function daysInRow(dates: readonly string[], today: string): number {
  const studied = new Set(dates);
  let at = startOf(today);
  if (!studied.has(today)) at -= DAY;
  let count = 0;
  for (; studied.has(dateAt(at)); at -= DAY) count += 1;
  return count;
}

/** The last weeks with the one of today as their last, each from Monday on; days after today are left out. YYYY-MM-DD. */
export function lastWeeks(today: string, weeks: number): string[][] {
  const end = startOf(today);
  const monday = end - ((new Date(end).getUTCDay() + 6) % 7) * DAY;
  return Array.from({ length: weeks }, (_, week) => {
    const first = monday - (weeks - 1 - week) * 7 * DAY;
    return Array.from({ length: 7 }, (_, day) => first + day * DAY)
      .filter((at) => at <= end)
      .map(dateAt);
  });
}
