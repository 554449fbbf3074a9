import { describe, expect, it } from 'vitest';
import { playsElsewhere, uncountedAfter } from './uncounted.ts';

describe('what does not count', () => {
  const cases: { of: string; reports: [claimed: number, believed: number][]; elsewhere: boolean }[] = [
    {
      of: 'all of it counts',
      reports: [
        [30, 30],
        [30, 29.2],
      ],
      elsewhere: false,
    },
    { of: 'one report did not, as after a line that was long away', reports: [[30, 0]], elsewhere: false },
    {
      of: 'another window takes all of it',
      reports: [
        [30, 1],
        [30, 0.5],
      ],
      elsewhere: true,
    },
    {
      of: 'two windows have half each',
      reports: [
        [30, 15],
        [30, 15],
      ],
      elsewhere: true,
    },
    {
      of: 'a pause in between sends little',
      reports: [
        [30, 15],
        [3, 3],
        [30, 15],
      ],
      elsewhere: true,
    },
    {
      of: 'the other window was closed',
      reports: [
        [30, 15],
        [30, 15],
        [30, 30],
      ],
      elsewhere: false,
    },
    {
      of: 'short ones alone',
      reports: [
        [4, 0],
        [9, 0],
        [5, 0],
      ],
      elsewhere: false,
    },
  ];
  it.each(cases)('$of', ({ reports, elsewhere }) => {
    const uncounted = reports.reduce((before, [claimed, believed]) => uncountedAfter(before, claimed, believed), 0);
    expect(playsElsewhere(uncounted)).toBe(elsewhere);
  });
});
