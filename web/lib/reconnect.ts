/** Longest pause between two tries to reach the server (milliseconds). */
const LONGEST = 60_000;
/** A server that starts again is reached by all its windows over so many milliseconds. */
const SPREAD = 10_000;

/** Milliseconds before the next try: `stood` says whether the connection that ended had stood, `chance` is 0 to 1. */
export function pauseBefore(tries: number, stood: boolean, chance: number): number {
  return stood ? SPREAD * chance : Math.min(LONGEST, 1000 * 2 ** tries) * (0.5 + chance / 2);
}
