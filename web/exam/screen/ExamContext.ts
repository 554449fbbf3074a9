import { createContext, useContext, useSyncExternalStore } from 'react';
import type { ExamState, ShownRecord } from '../session/exam-model.ts';
import type { Exam } from '../session/exam-runner.ts';

/** The record on this question screen, be it sat or reviewed. */
export const ShownRecordContext = createContext<ShownRecord | null>(null);
/** The open record of this screen; null in a review. */
export const ExamContext = createContext<Exam | null>(null);

/** The record on the screen: to dispatch events, and to ask what does not change what is drawn. */
export function useShownRecord(): ShownRecord {
  const record = useContext(ShownRecordContext);
  if (record === null) throw new Error('outside of a question screen');
  return record;
}

/** The open record, for what only one that is being sat has: hand-in, time spent, another window. */
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
  const record = useShownRecord();
  return useSyncExternalStore(record.subscribe, () => select(record.getState()));
}
