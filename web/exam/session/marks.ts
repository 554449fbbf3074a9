import type { FailedWhy } from '#web/lib/send.ts';
import { currentQuestion, type ExamState, type Failure, mayMark } from './exam-model.ts';
import { recordRefused } from './hand-in.ts';
import { ask, inTurn, type Step, set, stay } from './step.ts';

/** Milliseconds until a mark that did not arrive is sent again. */
export const FLAG_RETRY = 5000;

/** Failures that may be over a moment later. */
export const passing: ReadonlySet<FailedWhy> = new Set<FailedWhy>([
  'offline',
  'busy',
  'broken',
  'tooMany',
  'notSignedIn',
]);

/** 标记 or 取消标记 of the question on the screen: seen at once, then sent. */
export function toggleFlag(state: ExamState): Step {
  const id = currentQuestion(state)?.questionId;
  if (id === undefined || !mayMark(state)) return stay(state);
  const flag = !state.flags.has(id);
  const flags = new Set(state.flags);
  if (flag) flags.add(id);
  else flags.delete(id);
  return set(
    state,
    { flags, flagsUnsent: new Map(state.flagsUnsent).set(id, flag), advancing: null },
    { do: 'flag', questionId: id, flag },
  );
}

/** The server has the mark, or will never take it; a newer one of the question stays unsent. */
export function flagSaved(state: ExamState, questionId: number, flag: boolean): Step {
  if (state.flagsUnsent.get(questionId) !== flag) return stay(state);
  const flagsUnsent = new Map(state.flagsUnsent);
  flagsUnsent.delete(questionId);
  return set(state, { flagsUnsent, confirmed: state.confirmed + 1 });
}

export function flagFailed(state: ExamState, questionId: number, flag: boolean, failure: Failure): Step {
  if (passing.has(failure.why)) {
    return ask(state, { do: 'wait', ms: FLAG_RETRY, event: { type: 'retry', round: state.round } });
  }
  return inTurn(
    state,
    (before) => flagSaved(before, questionId, flag),
    (settled) => recordRefused(settled, failure) ?? stay(settled),
  );
}
