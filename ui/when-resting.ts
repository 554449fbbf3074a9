/** Milliseconds without a scroll after which the page rests. */
const RESTS = 150;

let movedAt = Number.NEGATIVE_INFINITY;

// From the first, or nobody knows whether it moves when that is asked; a page that is drawn by the server has no window.
if (typeof window !== 'undefined')
  window.addEventListener(
    'scroll',
    () => {
      movedAt = performance.now();
    },
    { passive: true },
  );

/**
 * Does something that a person who scrolls would feel, once the page has not scrolled for a moment; at once where it has not.
 * @returns what calls it off
 */
export function whenResting(work: () => void): () => void {
  if (performance.now() - movedAt > RESTS) {
    work();
    return () => undefined;
  }
  let callOff: (() => void) | undefined;
  const timer = setTimeout(() => {
    callOff = whenResting(work);
  }, RESTS);
  return () => {
    clearTimeout(timer);
    callOff?.();
  };
}
