import { describe, expect, it } from 'vitest';
import { mayRetake, retakeState } from './retake.ts';

const MINUTE = 60_000;
const free = { most: null, after: null, counts: 'first' } as const;

describe('sitting a paper again', () => {
  it.each([
    { rule: free, taken: 0, closed: null, now: 0, may: true, left: null, nextAt: null },
    { rule: free, taken: 900, closed: 5, now: 5, may: true, left: null, nextAt: null },
    { rule: { ...free, most: 1 }, taken: 0, closed: null, now: 0, may: true, left: 1, nextAt: null },
    { rule: { ...free, most: 1 }, taken: 1, closed: 5, now: 9e12, may: 'noAttemptsLeft', left: 0, nextAt: null },
    // A rule that became stricter after more were taken.
    { rule: { ...free, most: 2 }, taken: 5, closed: 5, now: 9, may: 'noAttemptsLeft', left: 0, nextAt: null },
    {
      rule: { ...free, most: 3, after: 10 },
      taken: 1,
      closed: 0,
      now: 1,
      may: 'retakeTooSoon',
      left: 2,
      nextAt: 10 * MINUTE,
    },
    {
      rule: { ...free, after: 10 },
      taken: 1,
      closed: 0,
      now: 10 * MINUTE - 1,
      may: 'retakeTooSoon',
      left: null,
      nextAt: 10 * MINUTE,
    },
    { rule: { ...free, after: 10 }, taken: 1, closed: 0, now: 10 * MINUTE, may: true, left: null, nextAt: 10 * MINUTE },
    { rule: { ...free, after: 10 }, taken: 0, closed: null, now: 0, may: true, left: null, nextAt: null },
    // No waiting for what will never come.
    {
      rule: { ...free, most: 1, after: 10 },
      taken: 1,
      closed: 0,
      now: 0,
      may: 'noAttemptsLeft',
      left: 0,
      nextAt: null,
    },
  ])('$rule after $taken, closed at $closed, at $now', ({ rule, taken, closed, now, may, left, nextAt }) => {
    const state = retakeState(rule, { taken, lastClosedAt: closed });
    expect(state).toEqual({ ...rule, taken, left, nextAt });
    expect(mayRetake(state, now)).toEqual(may === true ? { ok: true } : { ok: false, why: may });
  });
});
