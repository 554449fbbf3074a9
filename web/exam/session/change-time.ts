import { serverNow } from '#web/lib/clock.ts';

/** The server's time for the numbers of changes, in whole milliseconds. */
export function changeTime(): number {
  return Math.floor(serverNow());
}
