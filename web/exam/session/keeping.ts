import { noteKept, type UnsentAnswer } from './answers-state.ts';
import { type ExamRequest, type ExamState, unkeptCount } from './exam-model.ts';
import { inTurn, type Step, set, stay } from './step.ts';

/** Milliseconds until what this browser could not keep is put on its disk again. */
const KEEP_AGAIN = 5000;

/** The disk says whether it holds an answer. What it does not hold is tried again as long as the server has not got it. */
export function kept(state: ExamState, { questionId, seq }: Omit<UnsentAnswer, 'answer'>, onDisk: boolean): Step {
  const answers = noteKept(state.answers, questionId, seq, onDisk);
  if (answers === state.answers) return stay(state);
  return inTurn(
    state,
    (before) => set(before, { answers }),
    (after) => (onDisk || after.keeping ? stay(after) : keepLater(after)),
  );
}

/** The pause is over: all that is not on the disk is put there again. */
export function keepAgain(state: ExamState): Step {
  if (unkeptCount(state) === 0) return set(state, { keeping: false });
  const again = [...state.answers.unsent]
    .filter(([, waiting]) => waiting.kept === false)
    .map(([questionId, { answer, seq }]): ExamRequest => ({ do: 'keep', unsent: { questionId, answer, seq } }));
  return inTurn(state, (before) => set(before, {}, ...again), keepLater);
}

function keepLater(state: ExamState): Step {
  return set(state, { keeping: true }, { do: 'wait', ms: KEEP_AGAIN, event: { type: 'keepAgain' } });
}
