import type { Mark } from '#contract/values/exam.ts';
import type { FailedWhy } from '#web/lib/send.ts';
import { currentQuestion, type ExamState, type Failure, mayGuess, mayMark } from './exam-model.ts';
import { recordRefused } from './hand-in.ts';
import type { MarkChange } from './marks-state.ts';
import { ask, inTurn, type Step, set, stay, toast } from './step.ts';

/** Milliseconds until a mark that did not arrive is sent again. */
const MARK_RETRY = 5000;

/** Failures that may be over a moment later. */
const passing: ReadonlySet<FailedWhy> = new Set<FailedWhy>([
  'offline',
  'busy',
  'databaseAway',
  'broken',
  'tooMany',
  'notSignedIn',
]);

/** Sets or takes back a mark of a question, of the one on the screen when none is named: seen at once, then sent. */
export function toggleMark(state: ExamState, mark: Mark, id = currentQuestion(state)?.questionId): Step {
  if (id === undefined || !(mark === 'guess' ? mayGuess(state, id) : mayMark(state))) return stay(state);
  const change = { mark, questionId: id, on: !state.marks[mark].has(id) };
  const unsent = new Map(state.marksUnsent[mark]).set(id, change.on);
  return inTurn(
    state,
    (before) => put(before, change),
    (after) => set(after, { marksUnsent: { ...after.marksUnsent, [mark]: unsent }, advancing: null }),
    (after) => ask(after, { do: 'mark', ...change }),
  );
}

/** The server has the mark; a newer one of the question stays unsent. */
export function markSaved(state: ExamState, change: MarkChange): Step {
  if (!isLatest(state, change)) return stay(state);
  return inTurn(
    state,
    (before) => settle(before, change),
    (after) => set(after, { confirmed: after.confirmed + 1 }),
  );
}

/**
 * A mark that did not arrive is sent again; one that the server will never take is taken back, and the reason said. A
 * refusal of the whole record says its reason itself; a review has no record to lose.
 */
export function markFailed(state: ExamState, change: MarkChange, failure: Failure): Step {
  if (passing.has(failure.why)) {
    return ask(state, { do: 'wait', ms: MARK_RETRY, event: { type: 'retry', round: state.round } });
  }
  // Else a newer one of the question is on its way and decides.
  const decides = isLatest(state, change);
  return inTurn(
    state,
    (before) => (decides ? put(before, { ...change, on: !change.on }) : stay(before)),
    (before) => (decides ? settle(before, change) : stay(before)),
    (settled) => {
      const refused = settled.phase === 'review' ? null : recordRefused(settled, failure, 'mark');
      return refused ?? (decides ? toast(settled, failure.msg) : stay(settled));
    },
  );
}

function isLatest({ marksUnsent }: ExamState, { mark, questionId, on }: MarkChange): boolean {
  return marksUnsent[mark].get(questionId) === on;
}

function put(state: ExamState, { mark, questionId, on }: MarkChange): Step {
  const marked = new Set(state.marks[mark]);
  if (on) marked.add(questionId);
  else marked.delete(questionId);
  return set(state, { marks: { ...state.marks, [mark]: marked } });
}

/** Nothing of the question is unsent any more. */
function settle(state: ExamState, { mark, questionId }: MarkChange): Step {
  const unsent = new Map([...state.marksUnsent[mark]].filter(([id]) => id !== questionId));
  return set(state, { marksUnsent: { ...state.marksUnsent, [mark]: unsent } });
}
