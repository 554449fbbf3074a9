import { useSyncExternalStore } from 'react';
import { recall, remember } from './remember.ts';

/** Size of question text in three steps (design language, Type). */
export type QuestionSize = 1 | 2 | 3;

let size: QuestionSize = 1;
const listeners = new Set<() => void>();

/** Before the first render: the size that this browser remembers. CSS reads it as var(--question-size). */
export function restoreQuestionSize(): void {
  const remembered = Number(recall('question-size'));
  apply(remembered === 2 || remembered === 3 ? remembered : 1);
}

/** Changes the size at once and remembers it. */
export function setQuestionSize(next: QuestionSize): void {
  remember('question-size', String(next));
  apply(next);
}

export function useQuestionSize(): QuestionSize {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => size,
  );
}

function apply(next: QuestionSize): void {
  size = next;
  document.documentElement.dataset.questionSize = String(next);
  for (const listener of listeners) listener();
}
