import { describe, expect, it } from 'vitest';
import { afterFailure, againAfterOutage, isAbandoned, LEASE, waitAfter } from './retry.ts';

describe('a job that went wrong', () => {
  it.each([
    [1, 10_000],
    [2, 40_000],
    [3, 160_000],
    [9, 3_600_000],
    [1000, 3_600_000],
    [0, 10_000],
  ])('after attempt %i waits %i ms', (attempts, wait) => expect(waitAfter(attempts)).toBe(wait));

  it.each([
    [1, 3, { again: true, at: 10_100 }],
    [2, 3, { again: true, at: 40_100 }],
    [3, 3, { again: false }],
    [4, 3, { again: false }],
    [1, 1, { again: false }],
  ])('attempt %i of %i', (attempts, most, what) => expect(afterFailure({ attempts, most }, 100)).toEqual(what));
});

const MINUTE = 60_000;
describe('a job that met something outside of it', () => {
  it.each([
    ['at once', 0, 10_000],
    ['as long as it waited', 2 * MINUTE, 2 * MINUTE],
    ['a quarter of an hour at most', 600 * MINUTE, 15 * MINUTE],
    ['three days, and no longer', 3 * 1440 * MINUTE, 15 * MINUTE],
    ['asked for by a clock that was set back', -60 * MINUTE, 10_000],
  ])('%s', (_, waited, wait) => expect(againAfterOutage(5000, 5000 + waited)).toBe(5000 + waited + wait));
  it('for longer than days is tried like any other', () =>
    expect(againAfterOutage(0, 3 * 1440 * MINUTE + 1)).toBe(null));
});

describe('a process that says nothing', () => {
  it.each([
    [null, 0, true],
    [1000, 0, false],
    [1000, 9, false],
    [1000 - 1, 0, true],
    // A clock that was set back takes nothing from anybody who still says something.
    [9_000_000, 0, false],
    [9_000_000, 6, false],
    [9_000_000, 7, true],
  ])('since %s, found so %i times before', (at, looks, gone) =>
    expect(isAbandoned(at, 1000 + LEASE, looks)).toBe(gone),
  );
});
