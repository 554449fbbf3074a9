/**
 * Does something when the browser has nothing else to do, at the latest after `timeout` milliseconds. Safari has no such call, and no page here keeps a
 * machine busy that long: there it is done at once.
 * @returns what calls it off
 */
export function whenIdle(work: () => void, timeout: number): () => void {
  if (!('requestIdleCallback' in window)) {
    work();
    return () => undefined;
  }
  const waiting = window.requestIdleCallback(work, { timeout });
  return () => window.cancelIdleCallback(waiting);
}
