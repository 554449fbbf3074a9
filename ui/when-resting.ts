/** Milliseconds without a scroll after which the page rests. A frame that comes late brings the news of a scroll late, too: somebody may still be at it. */
const RESTS = 400;

/** Milliseconds from one thing that waited to the next, and from one look whether the page rests to the next. */
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
 * Does something that a person who scrolls would feel, once the page has not scrolled for a moment; at once where it has not, and nothing else was done in
 * this way just now: what is felt once in a frame is felt more when it comes together. Code that is asked for in this way may arrive while the page moves again.
 * @returns what calls it off
 */
export function whenResting(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    const now = performance.now();
    if (now - movedAt <= RESTS || now - doneAt < APART) {
      timer = setTimeout(look, APART);
      return;
    }
    doneAt = now;
    work();
  };
  look();
  return () => clearTimeout(timer);
}
