import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkWeights, normalTicks, pointsIn, tickedScore } from './scoring-points.ts';

const weighing = (...weights: number[]) => weights.map((weight) => ({ text: '点', weight, words: [] }));

describe('the score that ticks propose', () => {
  it.each([
    ['nothing ticked', [2, 3], [], 10, 0],
    ['some', [2, 3, 5], [0, 2], 10, 7],
    ['all', [2, 3, 5], [0, 1, 2], 10, 10],
    ['the same twice counts once', [2, 3], [1, 1], 10, 3],
    ['what is no place counts nothing', [2, 3], [5, 0], 10, 2],
    ['less than the whole stays less', [2, 3], [0, 1], 10, 5],
    ['never more than the question gives', [6, 6], [0, 1], 10, 10],
    ['halves', [1.5, 1.5], [0], 8, 1.5],
    ['to the nearest half', [3.33, 3.33, 3.33], [0], 10, 3.5],
    ['thirds add up to the whole', [3.33, 3.33, 3.33], [0, 1, 2], 10, 10],
    ['a quarter up', [0.25], [0], 1, 0.5],
    ['less than a quarter down', [0.24], [0], 1, 0],
  ])('%s', (_, weights, ticks, score, wanted) => {
    expect(tickedScore(weighing(...weights), ticks, score)).toBe(wanted);
  });

  it('lies between nothing and the points of the question, and never falls with a tick more', () => {
    const half = fc.integer({ min: 1, max: 40 }).map((n) => n / 2);
    fc.assert(
      fc.property(
        fc.array(half, { maxLength: 8 }),
        half,
        fc.array(fc.nat(9)),
        fc.nat(9),
        (weights, score, ticks, more) => {
          const points = weighing(...weights);
          const one = tickedScore(points, ticks, score);
          expect(one).toBeGreaterThanOrEqual(0);
          expect(one).toBeLessThanOrEqual(score);
          expect(tickedScore(points, [...ticks, more], score)).toBeGreaterThanOrEqual(one);
        },
      ),
    );
  });
});

describe('weights', () => {
  it.each([
    [[5, 5], 10, true],
    [[2], 10, true],
    [[0.5, 9.5], 10, true],
    [[5, 5.5], 10, false],
  ])('%j of %d', (weights, score, ok) => {
    expect(checkWeights(weighing(...weights), score).ok).toBe(ok);
  });

  it('go by the share in a paper that gives other points', () => {
    expect(pointsIn(weighing(1, 1, 2), 4, 4).map(({ weight }) => weight)).toEqual([1, 1, 2]);
    expect(pointsIn(weighing(1, 1, 2), 4, 10).map(({ weight }) => weight)).toEqual([2.5, 2.5, 5]);
    expect(pointsIn(weighing(1, 1, 1), 3, 10).map(({ weight }) => weight)).toEqual([3.33, 3.33, 3.33]);
  });
});

describe('ticks', () => {
  it.each([
    [[], 3, []],
    [[2, 0], 3, [0, 2]],
    [[1, 1], 3, [1]],
    [[3], 3, null],
    [[-1], 3, null],
    [[0.5], 3, null],
    [[0], 0, null],
  ])('%j of %d points', (ticks, count, wanted) => {
    expect(normalTicks(ticks, count)).toEqual(wanted);
  });
});
