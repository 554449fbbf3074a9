import { expect, it } from 'vitest';
import { formatLeft, formatSpent, timeLevel, timeToAnnounce } from './countdown.ts';

it.each([
  [60_000, 100_000, 'calm'],
  [20_000, 100_000, 'calm'],
  [19_999, 100_000, 'amber'],
  [5_000, 100_000, 'amber'],
  [4_999, 100_000, 'cinnabar'],
  [0, 100_000, 'cinnabar'],
] as const)('timeLevel %i of %i is %s', (left, whole, level) => {
  expect(timeLevel(left, whole)).toBe(level);
});

const MINUTE = 60_000;

it.each([
  [300_100, 300_000, 120, 5 * MINUTE],
  [300_000, 299_900, 120, null],
  [60_050, 59_950, 120, MINUTE],
  [400_000, 30_000, 120, MINUTE],
  [70_000, 65_000, 120, null],
  [70_000, 0, 120, null],
  // Both changes of colour of a paper of two hours.
  [24 * MINUTE + 50, 24 * MINUTE - 50, 120, 24 * MINUTE],
  [6 * MINUTE + 50, 6 * MINUTE, 120, 6 * MINUTE],
  [25 * MINUTE, 2 * MINUTE, 120, 5 * MINUTE],
  // A paper of a minute: nothing when it begins, then its own marks.
  [MINUTE, MINUTE - 100, 1, null],
  [12_050, 11_950, 1, 12_000],
] as const)('timeToAnnounce %i -> %i of %i minutes', (before, left, minutes, mark) => {
  expect(timeToAnnounce(before, left, minutes * MINUTE)).toBe(mark);
});

it('formats', () => {
  expect(formatLeft(1)).toBe('00:01');
  expect(formatLeft(0)).toBe('00:00');
  expect(formatLeft(-5)).toBe('00:00');
  expect(formatLeft(3_905_000)).toBe('1:05:05');
  expect(formatSpent(309)).toBe('05:09');
});
