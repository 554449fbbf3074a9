import { describe, expect, it } from 'vitest';
import { afterFailure, isAbandoned, LEASE, waitAfter } from './retry.ts';

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

describe('a process that says nothing', () => {
  it.each([
    [null, true],
    [1000, false],
    [1000 - 1, true],
    // A clock that was set back takes nothing from anybody.
    [9_000_000, false],
  ])('since %s', (at, gone) => expect(isAbandoned(at, 1000 + LEASE)).toBe(gone));
});
