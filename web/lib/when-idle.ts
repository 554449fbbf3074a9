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

/**
 * Does something in the idle time behind the next frame (in Safari within that frame), at the latest `timeout` milliseconds after it. Work in small pieces that
 * asks for the next one each time goes on with every frame, also while the page stands still; idle time alone comes twenty times a second then.
 * @returns what calls it off
 */
export function afterFrame(work: () => void, timeout: number): () => void {
  let callOff: (() => void) | undefined;
  const frame = requestAnimationFrame(() => {
    callOff = whenIdle(work, timeout);
  });
  return () => {
    cancelAnimationFrame(frame);
    callOff?.();
  };
}
