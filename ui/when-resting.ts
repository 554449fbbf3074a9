/** Milliseconds without a scroll after which the page rests. A frame that comes late brings the news of a scroll late, too: somebody may still be at it. */
const RESTS = 400;

/** Milliseconds from one thing that waited to the next. */
const APART = 150;

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
  if (now - movedAt > RESTS && now - doneAt > APART) {
    doneAt = now;
    work();
    return () => undefined;
  }
  let callOff: (() => void) | undefined;
  const timer = setTimeout(() => {
    callOff = whenResting(work);
  }, APART);
  return () => {
    clearTimeout(timer);
    callOff?.();
  };
}
