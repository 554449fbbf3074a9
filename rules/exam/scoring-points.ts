import { addPoints } from './scoring.ts';

/** What a reference answer of type 4 or 8 gives marks for (采点). */
export interface ScoringPoint {
  /** Sanitized HTML. */
  text: string;
  /** Marks. */
  weight: number;
  /** Key words that are looked for in the own answer, as a hint. */
  words: readonly string[];
}

/** The weights that an author may give: as fine as the points of a question. */
export const WEIGHT_STEP = 0.5;

type WhyNot = { ok: false; why: 'weightsTooHigh'; sum: number };

/** Whether the weights of a question's scoring points fit into its points: together they never bring more. */
export function checkWeights(points: readonly Pick<ScoringPoint, 'weight'>[], score: number): { ok: true } | WhyNot {
  const sum = addPoints(points.map(({ weight }) => weight));
  return sum > score ? { ok: false, why: 'weightsTooHigh', sum } : { ok: true };
}

/**
 * Scoring points as a paper shows them that gives the question other marks than its author had in mind: each weight by
 * the same share, to the hundredth.
 * @param of the points of the question for which the weights were written
 * @param score its points in this paper
 */
export function pointsIn(points: readonly ScoringPoint[], of: number, score: number): ScoringPoint[] {
  return points.map((point) => ({
    ...point,
    weight: of === score ? point.weight : addPoints([(point.weight * score) / of]),
  }));
}

/**
 * The score that ticks propose: the sum of the ticked weights, to the nearest half point (a quarter up), and never more than
 * the question gives. The student may change it.
 * @param ticks places of the ticked points, from 0; what is no place counts nothing
 * @param score points of the question in this paper
 */
export function tickedScore(
  points: readonly Pick<ScoringPoint, 'weight'>[],
  ticks: Iterable<number>,
  score: number,
): number {
  const sum = addPoints([...new Set(ticks)].map((at) => points[at]?.weight ?? 0));
  return Math.min(score, Math.round(addPoints([sum]) * 2) / 2);
}

/** Ticks as they are stored: ascending, each once; null when one is no place of a point. */
export function normalTicks(ticks: readonly number[], count: number): number[] | null {
  if (ticks.some((at) => !Number.isInteger(at) || at < 0 || at >= count)) return null;
  return [...new Set(ticks)].sort((a, b) => a - b);
}
