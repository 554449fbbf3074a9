import { describe, expect, it } from 'vitest';
import { fourteenOn, isMinor, lacks, mayTurnGrown } from './agreement.ts';

/** 2026-11-20 00:00 in China. */
const NOW = Date.UTC(2026, 10, 19, 16);

describe('fourteenOn', () => {
  it.each([
    ['2012-11-20', null],
    ['2012-11-21', '2026-11-21'],
    ['2012-02-29', null],
    ['2016-02-29', '2030-02-29'],
    ['2026-11-20', '2040-11-20'],
    ['1990-01-01', null],
  ])('born on %s: %s', (birth, day) => expect(fourteenOn(birth, NOW)).toBe(day));
  it('turns with the day of China', () => {
    expect(fourteenOn('2012-11-20', NOW - 1)).toBe('2026-11-20');
  });
  it('is the first of March for who was born on the 29th of February', () => {
    const minorAt = (now: number) => isMinor({ identity: { fourteenOn: '2030-02-29' }, declared: false, now });
    expect([Date.UTC(2030, 1, 28, 15, 59), Date.UTC(2030, 1, 28, 16)].map(minorAt)).toEqual([true, false]);
  });
});

it.each([
  [{ identity: null, declared: false }, false],
  [{ identity: null, declared: true }, true],
  [{ identity: { fourteenOn: '2026-11-21' }, declared: false }, true],
  [{ identity: { fourteenOn: '2026-11-20' }, declared: false }, false],
  // The identity number knows better than what was said.
  [{ identity: { fourteenOn: null }, declared: true }, false],
])('isMinor %j: %s', (of, minor) => expect(isMinor({ ...of, now: NOW })).toBe(minor));

it.each([
  [{ minor: false, guardian: false }, true],
  [{ minor: true, guardian: true }, true],
  [{ minor: true, guardian: false }, false],
])('mayTurnGrown %j: %s', (of, may) => expect(mayTurnGrown(of)).toBe(may));

it.each([
  [{ outstanding: 0, minor: false, guardian: false }, null],
  [{ outstanding: 1, minor: false, guardian: false }, 'agreementNeeded'],
  [{ outstanding: 0, minor: true, guardian: false }, 'guardianNeeded'],
  [{ outstanding: 0, minor: true, guardian: true }, null],
  [{ outstanding: 2, minor: true, guardian: true }, 'agreementNeeded'],
])('lacks %j: %s', (of, why) => expect(lacks({ closing: false, ...of })).toBe(why));

it('lacks: an account that is to be closed buys nothing, whatever else it lacks', () => {
  expect(lacks({ closing: true, outstanding: 1, minor: true, guardian: false })).toBe('accountClosing');
});
