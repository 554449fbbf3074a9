import { describe, expect, it } from 'vitest';
import { GIVE_MOST, GIVEN_MOST } from '#contract/values/exam.ts';
import { handsInTooSoon, mayGiveTime } from './extra-time.ts';

const NOW = 1_000_000_000;
const MINUTE = 60_000;
const open = { endsAt: NOW + 5 * MINUTE, submittedAt: null, extraMinutes: 0 };

describe('time given back', () => {
  it.each([
    ['after the end', {}, 10, NOW + 15 * MINUTE],
    ['a minute', {}, 1, NOW + 6 * MINUTE],
    ['a second time', { extraMinutes: 30 }, 10, NOW + 15 * MINUTE],
    ['at the very end', { endsAt: NOW }, 10, NOW + 10 * MINUTE],
    ['after an end that passed and was not closed', { endsAt: NOW - 60 * MINUTE }, 10, NOW + 10 * MINUTE],
    ['up to the most', { extraMinutes: GIVEN_MOST - GIVE_MOST }, GIVE_MOST, NOW + (5 + GIVE_MOST) * MINUTE],
  ])('%s', (_, change, minutes, endsAt) => {
    const record = { ...open, ...change };
    expect(mayGiveTime(record, minutes, NOW)).toEqual({ ok: true, endedAt: record.endsAt, endsAt });
  });

  it.each([
    ['handed in', { submittedAt: NOW - 1 }, 10, 'closed'],
    ['without an end', { endsAt: null }, 10, 'noEnd'],
    ['more than two days together', { extraMinutes: GIVEN_MOST - 9 }, 10, 'tooMuch'],
    ['handed in and without an end', { submittedAt: NOW, endsAt: null }, 10, 'closed'],
  ])('not to a record %s', (_, change, minutes, why) => {
    expect(mayGiveTime({ ...open, ...change }, minutes, NOW)).toEqual({ ok: false, why });
  });
});

describe('a hand-in because the time is over', () => {
  const given = { ...open, extraMinutes: 10 };
  it.each([
    ['by a window that does not know of the minutes', given, 0, true],
    ['that knows of some of them', given, 5, true],
    ['that knows of all', given, 10, false],
    ['by the student', given, undefined, false],
    ['after the new end', { ...given, endsAt: NOW }, 0, false],
    ['of a record that is closed', { ...given, submittedAt: NOW - 1 }, 0, false],
    ['where none were given', open, 0, false],
    ['without an end', { ...given, endsAt: null }, 0, false],
  ])('%s', (_, record, known, wanted) => {
    expect(handsInTooSoon(record, known, NOW)).toBe(wanted);
  });
});
