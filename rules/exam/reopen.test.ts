import { describe, expect, it } from 'vitest';
import type { Closed } from '#contract/values/exam.ts';
import { countedOf, MOST_MINUTES, mayReopen } from './reopen.ts';

const NOW = 1_763_600_000_000;
const closed: Parameters<typeof mayReopen>[0] = { closed: 'timeUp' as Closed, submittedAt: NOW - 5, endsAt: NOW - 5 };
const open = { closed: null, submittedAt: null, endsAt: NOW };
const untimed = { ...closed, endsAt: null };
const ask = { openBeside: false, reason: '时钟错误', minutes: 30, now: NOW };

describe('opening a closed record again', () => {
  it.each<[string, typeof closed, Partial<typeof ask> | { minutes: null }, ReturnType<typeof mayReopen>]>([
    ['gives a new end', closed, {}, { ok: true, endsAt: NOW + 1_800_000 }],
    ['keeps none without a limit', untimed, { minutes: null }, { ok: true, endsAt: null }],
    ['gives none without a limit', untimed, {}, { ok: true, endsAt: null }],
    ['the most', closed, { minutes: MOST_MINUTES }, { ok: true, endsAt: NOW + 86_400_000 }],
    ['more than a day', closed, { minutes: MOST_MINUTES + 1 }, { ok: false, why: 'noEnd' }],
    ['none at all', closed, { minutes: null }, { ok: false, why: 'noEnd' }],
    ['no minutes', closed, { minutes: 0 }, { ok: false, why: 'noEnd' }],
    ['half a minute', closed, { minutes: 0.5 }, { ok: false, why: 'noEnd' }],
    ['no reason', closed, { reason: ' ' }, { ok: false, why: 'noReason' }],
    ['an open one', open, {}, { ok: false, why: 'notClosed' }],
    ['another one open', closed, { openBeside: true }, { ok: false, why: 'openBeside' }],
  ])('%s', (_, record, more, expected) => {
    expect(mayReopen(record, { ...ask, ...more } as typeof ask)).toEqual(expected);
  });

  it.each<[Parameters<typeof countedOf>[0]['state'], string, boolean, boolean]>([
    // state · what stands for the question · points · answer
    [0, 'handedIn', true, false],
    [0, '', false, false],
    [1, 'handedIn', true, true],
    [2, 'handedIn', true, true],
    [3, 'handedIn', true, true],
    [1, 'handedIn shown', true, false],
    [4, 'handedIn selfScored', false, false],
    [5, 'handedIn', true, false],
    [3, 'handedIn selfScored', true, true],
    [3, 'handedIn selfScored shown', true, true],
  ])('state %i, %s: points %s, answer %s', (state, said, points, answer) => {
    const [selfScored, shown, ended] = ['selfScored', 'shown', 'handedIn'].map((word) => said.includes(word));
    expect(
      countedOf({ state }, { selfScored: !!selfScored, shown: !!shown, closed: ended ? 'submitted' : 'unanswered' }),
    ).toEqual({
      points,
      answer,
    });
  });
});
