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
  [300_100, 300_000, 120, 300],
  [300_000, 299_900, 120, null],
  [60_050, 59_950, 120, 60],
  [70_000, 65_000, 120, null],
  [70_000, 0, 120, null],
  // A page that slept tells what is left, not what it slept over.
  [400_000, 30_000, 120, 30],
  [25 * MINUTE, 2 * MINUTE, 120, 120],
  // Both changes of colour of a paper of two hours.
  [24 * MINUTE + 50, 24 * MINUTE - 50, 120, 24 * 60],
  [6 * MINUTE + 50, 6 * MINUTE, 120, 6 * 60],
  // A paper of half an hour is nearly over at a minute and a half, which is neither one minute nor two.
  [90_050, 89_950, 30, 90],
  // A paper of a minute: nothing when it begins, then its own marks.
  [MINUTE, MINUTE - 100, 1, null],
  [12_050, 11_950, 1, 12],
] as const)('timeToAnnounce %i -> %i of %i minutes', (before, left, minutes, seconds) => {
  expect(timeToAnnounce(before, left, minutes * MINUTE)).toBe(seconds);
});

it('formats', () => {
  expect(formatLeft(1)).toBe('00:01');
  expect(formatLeft(0)).toBe('00:00');
  expect(formatLeft(-5)).toBe('00:00');
  expect(formatLeft(3_905_000)).toBe('1:05:05');
  expect(formatSpent(309)).toBe('05:09');
});
