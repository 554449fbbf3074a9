/** Milliseconds without a scroll after which the page rests. */
const RESTS = 150;

/** Pixels a millisecond from which nobody reads what passes. */
const FAST = 1;

let place = 0;
let movedAt = Number.NEGATIVE_INFINITY;
/** Pixels a millisecond of the last two steps. */
let steps: readonly [number, number] = [0, 0];

function moved(): void {
  const now = performance.now();
  const passed = now - movedAt;
  // After a rest nobody knows since when it moves: a jump is no speed.
  if (passed > RESTS) steps = [0, 0];
  else if (passed > 0) steps = [steps[1], (window.scrollY - place) / passed];
  place = window.scrollY;
  movedAt = now;
}

// From the first, or nobody knows whether it moves when that is asked; a page that is drawn by the server has no window.
if (typeof window !== 'undefined') window.addEventListener('scroll', moved, { passive: true });

/**
 * How fast the page scrolls, in pixels a millisecond: down above 0, up below; 0 while it rests. It is the slower one of the last two steps: one that a browser
 * makes by itself, to hold a reader's place where something above it grew, is none.
 */
function pageSpeed(): number {
  if (isResting()) return 0;
  const [before, last] = steps;
  if (before * last <= 0) return 0;
  return Math.abs(before) < Math.abs(last) ? before : last;
}

/** Whether the page scrolls faster than anybody reads. */
export function isPassing(): boolean {
  return Math.abs(pageSpeed()) > FAST;
}

/** Whether the page has not scrolled for a moment. */
export function isResting(): boolean {
  return performance.now() - movedAt > RESTS;
}

/**
 * Does something that a person who scrolls would feel, once the page rests; at once where it does.
 * @returns what calls it off
 */
export function whenResting(work: () => void): () => void {
  if (isResting()) {
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
