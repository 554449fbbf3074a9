import type { ExamRequest, ExamState } from './exam-model.ts';

/** What something comes to: the next state, and what is asked of the world, in order. */
export interface Step {
  readonly state: ExamState;
  readonly requests: readonly ExamRequest[];
}

/** Nothing happens. */
export function stay(state: ExamState): Step {
  return { state, requests: [] };
}

/** These fields of the state change, and this is asked for. */
export function set(state: ExamState, change: Partial<ExamState>, ...requests: ExamRequest[]): Step {
  return { state: { ...state, ...change }, requests };
}

/** Only this is asked for. */
export function ask(state: ExamState, ...requests: ExamRequest[]): Step {
  return { state, requests };
}

/** A short sentence for the student: the Chinese text, which is the key for `t`. */
export function toast(state: ExamState, text: string): Step {
  return ask(state, { do: 'toast', text });
}

/** Several parts one after the other: each starts from the state of the one before, and all that they ask for is asked. */
export function inTurn(state: ExamState, ...parts: readonly ((state: ExamState) => Step)[]): Step {
  const requests: ExamRequest[] = [];
  let latest = state;
  for (const part of parts) {
    const step = part(latest);
    latest = step.state;
    requests.push(...step.requests);
  }
  return { state: latest, requests };
}
