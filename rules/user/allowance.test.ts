import { expect, it } from 'vitest';
import { stillUsed, takeMore } from './allowance.ts';

const minute = { most: 60, within: 60_000 };

it.each([
  ['the first fits', undefined, 1, 0, { ok: true, used: { amount: 1, at: 0 } }],
  ['all at once fit', undefined, 60, 0, { ok: true, used: { amount: 60, at: 0 } }],
  ['one more does not', { amount: 60, at: 0 }, 1, 0, { ok: false, retryAfter: 1000 }],
  ['a second later one does', { amount: 60, at: 0 }, 1, 1000, { ok: true, used: { amount: 60, at: 1000 } }],
  ['two do not', { amount: 60, at: 0 }, 2, 1000, { ok: false, retryAfter: 1000 }],
  [
    'after the whole time all is given back',
    { amount: 60, at: 0 },
    60,
    60_000,
    { ok: true, used: { amount: 60, at: 60_000 } },
  ],
  ['a clock that went back gives nothing back', { amount: 60, at: 5000 }, 1, 0, { ok: false, retryAfter: 1000 }],
  ['more than all never fits', undefined, 61, 0, { ok: false, retryAfter: Number.POSITIVE_INFINITY }],
] as const)('%s', (_, used, amount, now, expected) => {
  expect(takeMore(minute, used, amount, now)).toEqual(expected);
});

it('nothing is used where nothing is known', () => {
  expect(stillUsed(minute, undefined, 5)).toBe(0);
});
