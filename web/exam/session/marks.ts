import type { FailedWhy } from '#web/lib/send.ts';
import { currentQuestion, type ExamState, type Failure, mayMark } from './exam-model.ts';
import { recordRefused } from './hand-in.ts';
import { ask, inTurn, type Step, set, stay, toast } from './step.ts';

/** Milliseconds until a mark that did not arrive is sent again. */
const FLAG_RETRY = 5000;

/** Failures that may be over a moment later. */
const passing: ReadonlySet<FailedWhy> = new Set<FailedWhy>([
  'offline',
  'busy',
  'databaseAway',
  'broken',
  'tooMany',
  'notSignedIn',
]);

/** 标记 or 取消标记 of a question, of the one on the screen when none is named: seen at once, then sent. */
export function toggleFlag(state: ExamState, id = currentQuestion(state)?.questionId): Step {
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

/** The server has the mark; a newer one of the question stays unsent. */
export function flagSaved(state: ExamState, questionId: number, flag: boolean): Step {
  if (state.flagsUnsent.get(questionId) !== flag) return stay(state);
  return set(state, { flagsUnsent: withoutUnsent(state, questionId), confirmed: state.confirmed + 1 });
}

/**
 * A mark that did not arrive is sent again; one that the server will never take is taken back, and the reason said. A
 * refusal of the whole record says its reason itself; a review has no record to lose.
 */
export function flagFailed(state: ExamState, questionId: number, flag: boolean, failure: Failure): Step {
  if (passing.has(failure.why)) {
    return ask(state, { do: 'wait', ms: FLAG_RETRY, event: { type: 'retry', round: state.round } });
  }
  const decides = state.flagsUnsent.get(questionId) === flag;
  return inTurn(
    state,
    // A newer one of the question is on its way and decides.
    (before) => (decides ? takenBack(before, questionId, flag) : stay(before)),
    (settled) => {
      const refused = settled.phase === 'review' ? null : recordRefused(settled, failure, 'mark');
      return refused ?? (decides ? toast(settled, failure.msg) : stay(settled));
    },
  );
}

function takenBack(state: ExamState, questionId: number, flag: boolean): Step {
  const flags = new Set(state.flags);
  if (flag) flags.delete(questionId);
  else flags.add(questionId);
  return set(state, { flags, flagsUnsent: withoutUnsent(state, questionId) });
}

function withoutUnsent({ flagsUnsent }: ExamState, questionId: number): ReadonlyMap<number, boolean> {
  return new Map([...flagsUnsent].filter(([id]) => id !== questionId));
}
