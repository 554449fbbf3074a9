/** Shorter reports say nothing of what counts (seconds). */
const WEIGHTY = 10;
/** A report counts as a whole when this share of it does: clocks of two machines differ by fractions. */
const COUNTED = 0.75;
/** So many reports in a row that did not count as a whole are no chance: the same student plays elsewhere too. */
const TWICE = 2;

/**
 * Reports in a row of which a good part did not count, after one more. The server pays one person's time once, whatever plays (decisions §4).
 * @param claimed seconds that the report said were played, and @param believed those of them that count
 */
export function uncountedAfter(uncounted: number, claimed: number, believed: number): number {
  if (claimed < WEIGHTY) return uncounted;
  return believed < claimed * COUNTED ? uncounted + 1 : 0;
}

/** Whether so many reports in a row that did not count tell of another place where the student plays. */
export const playsElsewhere = (uncounted: number): boolean => uncounted >= TWICE;
