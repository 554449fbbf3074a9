/** Milliseconds for which nothing is shown: most waits are over sooner. */
export const BLINK = 250;
/** Two blank pages no further apart than this, in milliseconds, are one to the eye. */
export const SAME = 100;

/** One wait across all blank pages that follow each other, in milliseconds of one clock that never goes back. */
export function blankWait() {
  let standing = 0;
  let began = Number.NEGATIVE_INFINITY;
  let ended = Number.NEGATIVE_INFINITY;
  return {
    /** How long a blank page that comes now still shows nothing; below zero, it has been in sight for so long. */
    left(now: number): number {
      if (standing === 0 && now - ended > SAME) {
        began = now;
        ended = now;
      }
      return BLINK - (now - began);
    },
    /** One stands there since then, which the server drew. */
    stoodSince(then: number, now: number): void {
      began = then;
      ended = now;
    },
    shown(): void {
      standing += 1;
    },
    gone(now: number): void {
      standing -= 1;
      ended = now;
    },
  };
}
