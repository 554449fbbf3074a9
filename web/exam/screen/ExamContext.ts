import { createContext, useContext, useSyncExternalStore } from 'react';
import type { ExamState } from '../session/exam-model.ts';
import type { Exam } from '../session/exam-runner.ts';

/** The open record of this screen. */
export const ExamContext = createContext<Exam | null>(null);

/** The open record: to dispatch events, and to ask what does not change what is drawn. */
export function useExam(): Exam {
  const exam = useContext(ExamContext);
  if (exam === null) throw new Error('outside of an exam screen');
  return exam;
}

/**
 * One value out of the state; the component is drawn again only when this value changes. `select` must give the same
 * value for the same state: a number, a string, or an object that the state itself holds.
 */
export function useExamState<T>(select: (state: ExamState) => T): T {
  const exam = useExam();
  return useSyncExternalStore(exam.subscribe, () => select(exam.getState()));
}
