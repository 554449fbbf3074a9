import { TAKEN_OVER } from '#contract/values/look.ts';

/*
 * A page that the server has drawn is taken over by a first drawing that has to come out the same. Answers that come
 * meanwhile wait until it is done.
 */

/** Milliseconds after which answers wait no longer for a drawing that does not end. */
const PATIENCE = 4000;

let waiting: Promise<void> | null = null;
let end: (() => void) | null = null;

/** Before anything is asked on a page that the server drew. */
export function awaitFirstDrawing(): void {
  waiting = new Promise((resolve) => {
    end = resolve;
  });
}

/** The drawing begins now. */
export function beginFirstDrawing(): void {
  setTimeout(endFirstDrawing, PATIENCE);
}

/** The page stands as it is drawn here. */
export function endFirstDrawing(): void {
  if (end === null) return;
  end();
  end = null;
  waiting = null;
  window.dispatchEvent(new Event(TAKEN_OVER));
}

/** An answer, once the first drawing is done. */
export async function afterFirstDrawing<T>(answer: Promise<T>): Promise<T> {
  const said = await answer;
  if (waiting !== null) await waiting;
  return said;
}
