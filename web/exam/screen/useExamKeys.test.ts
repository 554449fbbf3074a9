import { expect, it } from 'vitest';
import type { ExamState } from '../session/exam-model.ts';
import { keyEvent } from './useExamKeys.ts';

const at = (type: number, letters: string) =>
  ({
    current: 3,
    paper: {
      questions: [
        ...Array.from({ length: 3 }),
        { questionTypesId: type, options: Object.fromEntries([...letters].map((letter) => [letter, ''])) },
      ],
    },
  }) as unknown as ExamState;

it.each([
  ['ArrowLeft', { type: 'go', to: 2 }],
  ['ArrowRight', { type: 'go', to: 4 }],
  ['Enter', { type: 'go', to: 4 }],
  ['m', { type: 'marked', mark: 'flag' }],
  ['M', { type: 'marked', mark: 'flag' }],
  ['l', { type: 'marked', mark: 'guess' }],
  ['L', { type: 'marked', mark: 'guess' }],
  ['?', { type: 'dialog', dialog: 'keys' }],
  ['？', { type: 'dialog', dialog: 'keys' }],
  ['a', { type: 'chosen', letter: 'A', now: 7 }],
  ['D', { type: 'chosen', letter: 'D', now: 7 }],
  ['2', { type: 'chosen', letter: 'B', now: 7 }],
  ['e', null],
  ['5', null],
  ['9', null],
  ['0', null],
  ['x', null],
  ['Escape', null],
])('%s', (key, event) => {
  expect(keyEvent(key, at(2, 'ABCD'), 7)).toEqual(event);
});

it('letters choose nothing at a written answer', () => {
  expect(keyEvent('a', at(4, ''), 7)).toBeNull();
});
