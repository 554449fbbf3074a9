/**
 * Does something when the browser has nothing else to do, at the latest after `timeout` milliseconds. Safari has no such call, and no page here keeps a
 * machine busy that long.
 */
export function whenIdle(work: () => void, timeout: number): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout });
  else work();
}
