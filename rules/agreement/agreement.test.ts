import { describe, expect, it } from 'vitest';
import { ageOn, isMinor, lacks } from './agreement.ts';

/** 2026-11-20 00:00 in China. */
const NOW = Date.UTC(2026, 10, 19, 16);

describe('ageOn', () => {
  it.each([
    ['2012-11-20', 14],
    ['2012-11-21', 13],
    ['2012-02-29', 14],
    ['2026-11-20', 0],
    ['1990-01-01', 36],
  ])('born on %s: %i', (birth, age) => expect(ageOn(birth, NOW)).toBe(age));
  it('turns with the day of China', () => {
    expect(ageOn('2012-11-20', NOW - 1)).toBe(13);
  });
});

it.each([
  [{ birth: null, declared: false }, false],
  [{ birth: null, declared: true }, true],
  [{ birth: '2012-11-21', declared: false }, true],
  // The identity number knows better than what was said.
  [{ birth: '2000-01-01', declared: true }, false],
])('isMinor %j: %s', (of, minor) => expect(isMinor({ ...of, now: NOW })).toBe(minor));

it.each([
  [{ outstanding: 0, minor: false, guardian: false }, null],
  [{ outstanding: 1, minor: false, guardian: false }, 'agreementNeeded'],
  [{ outstanding: 0, minor: true, guardian: false }, 'guardianNeeded'],
  [{ outstanding: 0, minor: true, guardian: true }, null],
  [{ outstanding: 2, minor: true, guardian: true }, 'agreementNeeded'],
])('lacks %j: %s', (of, why) => expect(lacks(of)).toBe(why));
