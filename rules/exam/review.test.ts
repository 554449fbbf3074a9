import { expect, it } from 'vitest';
import { isNewReview, type NotedReview, reviewOutcome } from './review.ts';

const single = { type: 2, right: 'B', score: 2, letters: 'ABCD' } as const;
const multiple = { type: 3, right: 'ABD', score: 2, letters: 'ABCD' } as const;
const text = { type: 4, right: '<p>参考</p>', score: 5, letters: '' } as const;

it.each<
  [string, Parameters<typeof reviewOutcome>[0], Parameters<typeof reviewOutcome>[1], ReturnType<typeof reviewOutcome>]
>([
  ['the right letter', single, { answer: 'b' }, 1],
  ['a wrong one, whatever its student says', single, { answer: 'A', judgeFlag: 1 }, 2],
  ['a part of the right letters', multiple, { answer: 'AB' }, 2],
  ['letters that it does not have', single, { answer: 'X' }, null],
  ['nothing but the question (spec §7)', single, {}, 1],
  ['the word of its student', single, { judgeFlag: 2 }, 2],
  ['an empty answer says nothing', single, { answer: ' ' }, 0],
  ['an empty answer with a word', single, { answer: '', judgeFlag: 2 }, 2],
  ['an empty text says nothing', text, { answer: '' }, 0],
  ['a text counts as its student says', text, { answer: '文', judgeFlag: 2 }, 2],
  ['a text without a word was known', text, { answer: '文' }, 1],
  ['points for everybody: any answer is right', { ...single, gradeMode: 'all' }, { answer: 'A' }, 1],
  ['points for everybody: not to have known it is no mistake', { ...single, gradeMode: 'all' }, { judgeFlag: 2 }, 0],
  ['points for everybody: nor is nothing', { ...single, gradeMode: 'all' }, { answer: '' }, 0],
  ['void', { ...single, gradeMode: 'void' }, { answer: 'A' }, 5],
])('reviewing one question: %s', (_, question, said, outcome) => expect(reviewOutcome(question, said)).toBe(outcome));

const listed = { state: 'in', rightStreak: 0, lastAt: 100 } as const;
const wrong: NotedReview = { day: 1, said: 'wrong', at: 100 };
const right: NotedReview = { day: 1, said: 'right', at: 100 };
it.each<[string, NotedReview | null, 'right' | 'wrong', number, Parameters<typeof isNewReview>[2], boolean]>([
  ['the first', null, 'wrong', 1, null, true],
  ['a mistake that is sent again', wrong, 'wrong', 1, listed, false],
  ['another day', wrong, 'wrong', 2, listed, true],
  ['another outcome', wrong, 'right', 1, listed, true],
  ['a mistake elsewhere since', wrong, 'wrong', 1, { ...listed, lastAt: 101 }, true],
  ['a mistake after it was removed by hand', wrong, 'wrong', 1, { ...listed, state: 'removed' }, true],
  ['a mistake after it left by the rule', wrong, 'wrong', 1, { ...listed, state: 'left', rightStreak: 2 }, true],
  ['a mistake after it was right elsewhere', wrong, 'wrong', 1, { ...listed, rightStreak: 1 }, true],
  ['a right one that is sent again', right, 'right', 1, { ...listed, lastAt: 50, rightStreak: 1 }, false],
  ['a right one that made it leave', right, 'right', 1, { state: 'left', lastAt: 50, rightStreak: 2 }, false],
  ['a right one after it was restored', right, 'right', 1, { ...listed, lastAt: 50 }, true],
  ['a right one of a collected question', right, 'right', 1, null, false],
])('whether it is a review of its own: %s', (_, last, said, day, entry, isNew) =>
  expect(isNewReview(last, { day, said }, entry)).toBe(isNew),
);
