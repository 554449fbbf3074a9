import { expect, it } from 'vitest';
import { waited } from './waited.ts';

const HOUR = 3_600_000;

it.each([
  // A clock that was set back.
  [-5, null],
  [0, null],
  [HOUR - 1, null],
  [HOUR, { hours: 1 }],
  [48 * HOUR - 1, { hours: 47 }],
  [48 * HOUR, { days: 2 }],
  [24 * 40 * HOUR, { days: 40 }],
])('%i ms', (ms, said) => {
  expect(waited(ms)).toEqual(said);
});
