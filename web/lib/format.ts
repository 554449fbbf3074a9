import { currentLanguage } from './t.ts';

/** Days and hours are those of mainland China, where the schools and their timetables are. */
const timeZone = 'Asia/Shanghai';
/** Milliseconds by which that day is ahead of UTC, without summer time since 1991. */
const ahead = 8 * 3_600_000;
const yearOf = (ms: number) => dayInChina(ms).slice(0, 4);

/** The calendar day in China as YYYY-MM-DD. Epoch milliseconds. */
export function dayInChina(ms: number): string {
  return new Date(ms + ahead).toISOString().slice(0, 10);
}

/** The time of day in China as 10:32:05. Epoch milliseconds. */
export function clockTime(ms: number): string {
  return new Date(ms + ahead).toISOString().slice(11, 19);
}

/** Day and time as 11月20日 18:30, with the year where it is not the year of `now`. Epoch milliseconds. */
export function formatMoment(ms: number, now: number): string {
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(ms);
  return `${formatDay(ms, now)} ${time}`;
}

/** Day as 11月20日, with the year where it is not the year of `now`. Epoch milliseconds. */
export function formatDay(ms: number, now: number): string {
  return new Intl.DateTimeFormat(currentLanguage(), {
    timeZone,
    month: currentLanguage() === 'en' ? 'short' : 'long',
    day: 'numeric',
    ...(yearOf(ms) === yearOf(now) ? {} : { year: 'numeric' }),
  }).format(ms);
}

/** A count: 999, 9,999, 1.2万; in English 12K. Rounded down: 99,999 is not yet 10万. */
export function formatCount(count: number): string {
  if (count < 10_000) return count.toLocaleString('en');
  return new Intl.NumberFormat(currentLanguage(), {
    notation: 'compact',
    maximumFractionDigits: 1,
    roundingMode: 'trunc',
  }).format(count);
}

const UNITS = ['KB', 'MB', 'GB'] as const;

/** A number of bytes as 832 KB, 12.5 MB, 1.86 GB. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1024 ** 2 ? 1 : bytes < 1024 ** 3 ? 2 : 3;
  const value = bytes / 1024 ** power;
  return `${value.toFixed(power === 1 ? 0 : power - 1)} ${UNITS[power - 1]}`;
}

/** A share of 0 to 1 as whole percent, rounded down: 100% only when it is whole. */
export function formatRate(rate: number): string {
  return `${Math.floor(rate * 100 + 1e-9)}%`;
}

/** Whole days from `now` (epoch milliseconds) to a calendar day YYYY-MM-DD in China; negative when it is past, null when it is no day. */
export function daysUntil(day: string, now: number): number | null {
  const then = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(then)) return null;
  return Math.round((then - Date.parse(`${dayInChina(now)}T00:00:00Z`)) / 86_400_000);
}
