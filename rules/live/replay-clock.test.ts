import { describe, expect, it } from 'vitest';
import { replayClock } from './replay-clock.ts';

const T = 1_795_000_000_000;
const clock = replayClock([
  { from: T, length: 60_000 },
  { from: T + 100_000, length: 30_000 },
]);

describe('the clock of a replay', () => {
  it.each([
    ['before it', T - 5000, 0],
    ['at its beginning', T, 0],
    ['in the first part', T + 30_000, 30],
    ['while no stream came', T + 80_000, 60],
    ['in the second part', T + 110_000, 70],
    ['after it', T + 500_000, 90],
  ])('%s', (_, at, second) => expect(clock.secondOf(at)).toBe(second));

  it.each([
    [-1, T],
    [0, T],
    [30, T + 30_000],
    [60, T + 100_000],
    [75, T + 115_000],
    [1000, T + 130_000],
  ])('second %d', (second, at) => expect(clock.momentOf(second)).toBe(at));
});
