/** A day in milliseconds; China has had no summer time since 1991. */
export const DAY = 86_400_000;
/** China keeps one time, eight hours ahead of UTC. */
const CHINA = 8 * 60 * 60 * 1000;

/** When a calendar day (YYYY-MM-DD) begins in China, epoch milliseconds, whatever zone the machine has; null when it is no day. */
export function chinaDay(text: string): number | null {
  const [, year = 0, month = 0, day = 0] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []).map(Number);
  const at = Date.UTC(year, month - 1, day);
  return year > 0 && new Date(at).toISOString().slice(0, 10) === text ? at - CHINA : null;
}

/** A moment as China's clocks show it: `2026-11-20 18:00:00`. */
export function chinaTime(at: number): string {
  return new Date(at + CHINA).toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * A moment in China as people write it: a day and a time (YYYY-MM-DD HH:MM, or with a T between).
 * @param at what a day alone means: when it begins, or when it has ended, so that "until 30 November" takes in all of that day;
 * left out: a day alone is no moment
 * @returns epoch milliseconds; null when it is none
 */
export function chinaMoment(text: string, at?: 'begin' | 'end'): number | null {
  const [, day = '', hour, minute] = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}):(\d{2}))?$/.exec(text.trim()) ?? [];
  const begin = chinaDay(day);
  if (begin === null) return null;
  if (hour === undefined || minute === undefined) return at === undefined ? null : at === 'begin' ? begin : begin + DAY;
  return Number(hour) < 24 && Number(minute) < 60 ? begin + (Number(hour) * 60 + Number(minute)) * 60_000 : null;
}
