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

/** When something was last done in this way. */
let doneAt = Number.NEGATIVE_INFINITY;

/**
 * Does something that a person who scrolls would feel, once the page has not scrolled for a moment; at once where it has not. Of several things that
 * waited each has its own moment: in one frame together they would be felt by whoever scrolls on.
 * @returns what calls it off
 */
export function whenResting(work: () => void): () => void {
  const now = performance.now();
  if (now - movedAt > RESTS && now - doneAt > RESTS) {
    doneAt = now;
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
