const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** How long something has waited, in whole days or hours: what a person says of it. Milliseconds. */
export function waited(ms: number): { days: number } | { hours: number } | null {
  if (ms < HOUR) return null;
  return ms < 2 * DAY ? { hours: Math.floor(ms / HOUR) } : { days: Math.floor(ms / DAY) };
}
