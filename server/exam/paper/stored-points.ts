import { pointsIn, type ScoringPoint } from '#rules/exam/scoring-points.ts';

/** How `questions.points` holds scoring points: with the points of the question for which their weights were written. */
interface StoredPoints {
  of: number;
  list: ScoringPoint[];
}

/** For the column; '' where there are none. */
export const storedPoints = (points: readonly ScoringPoint[], score: number): string =>
  points.length === 0 ? '' : JSON.stringify({ of: score, list: [...points] } satisfies StoredPoints);

/** The scoring points of a column, in a paper that gives the question so many points. */
export function readStoredPoints(stored: string, score: number): ScoringPoint[] {
  if (stored === '') return [];
  const { of, list } = JSON.parse(stored) as StoredPoints;
  return pointsIn(list, of, score);
}
