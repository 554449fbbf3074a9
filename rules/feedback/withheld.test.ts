import { expect, it } from 'vitest';
import { isReportWithheld } from './withheld.ts';

it.each([
  ['no exam is open', 5, [], false],
  ['an exam is open with another question', 5, [6], false],
  ['an exam is open with its question', 5, [5, 6], true],
  ['no exam is open, and it is about no question', null, [], false],
  ['an exam is open, and it is about no question', null, [6], true],
])('while %s', (_, questionId, hidden, withheld) => {
  expect(isReportWithheld(questionId, new Set(hidden))).toBe(withheld);
});
