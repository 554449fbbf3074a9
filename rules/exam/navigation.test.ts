import { expect, it } from 'vitest';
import { advances, move } from './navigation.ts';

const exam = { examMode: 1, questionMode: 1, examType: 1 };

it.each([
  ['back at the first', -1, exam, { edge: 'first' }],
  ['to the first', 0, exam, { go: 0 }],
  ['inside', 3, exam, { go: 3 }],
  ['forward at the last of an exam', 10, exam, { edge: 'last', finish: false }],
  ['forward at the last of a practice', 10, { ...exam, examMode: -1 }, { edge: 'last', finish: true }],
  [
    'forward at the last in recite mode',
    10,
    { ...exam, examMode: -1, questionMode: 2 },
    { edge: 'last', finish: true },
  ],
  ['forward at the last of a recited exam', 10, { ...exam, questionMode: 2 }, { edge: 'last', finish: true }],
  ['forward at the last of a review', 10, { ...exam, examType: 2 }, { edge: 'last', finish: true }],
  ['back at the first in recite mode', -1, { ...exam, questionMode: 2 }, { edge: 'first' }],
])('%s', (_, wish, mode, expected) => {
  expect(move(wish, 10, mode)).toEqual(expected);
});

it.each([
  [1, 0, true],
  [2, 8, true],
  [2, 9, false],
  [3, 0, false],
  [4, 0, false],
  [5, 0, false],
  [8, 0, false],
])('type %i at index %i of 10 advances: %s', (type, index, expected) => {
  expect(advances(type, index, 10)).toBe(expected);
});
