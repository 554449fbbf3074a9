import { expect, it } from 'vitest';
import { needsSecondFact } from './second-fact.ts';

const DAY = 86_400_000;
const NOW = 1000 * DAY;
const LONG_AGO = NOW - 90 * DAY - 1;
const JUST_IN_TIME = NOW - 90 * DAY;

/** In use every day; the number was proven when the account was made, by code, long ago. */
const daily = { lastUsedAt: NOW - DAY, provenAt: LONG_AGO, createdAt: LONG_AGO, knownDevice: false };
it.each([
  // Whoever has the number now is not taken for whoever uses the account.
  ['in use, number not proven for long', daily, true],
  ['the same on a device of theirs', { ...daily, knownDevice: true }, false],
  ['number proven in time', { ...daily, provenAt: JUST_IN_TIME }, false],
  ['number proven today, on another device', { ...daily, provenAt: NOW - 1 }, false],
  ['made by the school, only ever used by password', { ...daily, provenAt: null }, true],
  ['made by the school lately', { ...daily, provenAt: null, createdAt: JUST_IN_TIME }, false],
  ['unused', { ...daily, lastUsedAt: LONG_AGO }, true],
  ['unused, made by the school, used once', { ...daily, provenAt: null, lastUsedAt: 1, createdAt: 0 }, true],
  ['never used: nothing of anybody is there', { ...daily, lastUsedAt: 0, provenAt: null }, false],
  ['a clock that was set back', { ...daily, provenAt: NOW + DAY }, false],
])('%s', (_, of, needed) => expect(needsSecondFact({ ...of, now: NOW })).toBe(needed));
