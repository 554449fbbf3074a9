import { move } from '#rules/exam/navigation.ts';
import { msg } from '#web/lib/t.ts';
import type { Review } from '../paper.ts';
import { type ExamEvent, type ExamState, nothingUnderWay } from '../session/exam-model.ts';
import { markFailed, markSaved, toggleMark } from '../session/marks.ts';
import { marksOf, noUnsentMarks, sendMarks, storedMarks, unsentMarkCount, withUnsent } from '../session/marks-state.ts';
import { ask, inTurn, type Step, set, stay, toast } from '../session/step.ts';

type FromReview = Pick<
  ExamState,
  'paper' | 'questions' | 'record' | 'answers' | 'marks' | 'keys' | 'finals' | 'hidden'
>;

/** The parts of the state that are as the server says: answers, what they came to, keys as far as they may be seen, marks. */
function fromServer(review: Review): FromReview {
  const { questions, sections, cases, similar, ...record } = review;
  const given = new Map(
    questions.filter(({ answer }) => answer !== '').map(({ questionId, answer }) => [questionId, answer]),
  );
  const seen = questions.filter(({ hidden }) => !hidden);
  return {
    paper: { recordId: review.recordId, sections, questions, cases, ...(similar && { similar }) },
    questions: new Map(questions.map((question) => [question.questionId, question])),
    record: { ...record, mayReveal: false, ownsWindow: false, lastSeq: 0, place: null, extraReason: '', totalTime: 0 },
    answers: { shown: given, saved: given, unsent: new Map(), seq: 0 },
    marks: storedMarks(questions),
    keys: new Map(seen.map((question) => [question.questionId, question])),
    finals: new Map(seen.map(({ questionId, state }) => [questionId, state])),
    hidden: new Set(questions.filter(({ hidden }) => hidden).map(({ questionId }) => questionId)),
  };
}

/**
 * A handed-in paper on the question screen (spec §3 examType 2), at the question at `index` from 0 or the nearest there is.
 * `kept`: marks that did not reach the server last time.
 */
export function openReview(review: Review, index: number, kept = noUnsentMarks): ExamState {
  const stored = fromServer(review);
  const opened: ExamState = {
    ...nothingUnderWay,
    ...stored,
    marksUnsent: marksOf(kept, stored.questions),
    phase: 'review',
    current: Math.max(0, Math.min(index, review.questions.length - 1)),
    autoAdvance: false,
    online: true,
  };
  return renewReview(opened, review);
}

/** The review as the server says it now (a question was scored): place, dialog and marks that are under way stay. */
export function renewReview(state: ExamState, review: Review): ExamState {
  const renewed = fromServer(review);
  const marks = withUnsent(renewed.marks, state.marksUnsent);
  return { ...state, ...renewed, marks, current: Math.min(state.current, review.questions.length - 1) };
}

/** Whether the filter shows the question at a position from 0. */
export type Shows = (index: number) => boolean;

/**
 * One event in a review: moving, marks and dialogs. All others belong to a record that is being sat, and are ignored.
 * Moves pass over what the filter does not show.
 */
export function stepReview(state: ExamState, event: ExamEvent, shows: Shows): Step {
  switch (event.type) {
    case 'go':
      return goTo(state, event.to, shows);
    case 'marked':
      return toggleMark(state, event.mark, event.questionId);
    case 'markSaved':
      return inTurn(state, (before) => markSaved(before, event.change), settled);
    case 'markFailed':
      return inTurn(
        state,
        (before) => set(before, { failures: before.failures + 1 }),
        (before) => markFailed(before, event.change, event.failure),
        settled,
      );
    case 'retry':
    case 'retryNow':
    case 'online':
      return ask(state, ...sendMarks(state.marksUnsent));
    case 'dialog':
      return set(state, { dialog: event.dialog });
    default:
      return stay(state);
  }
}

/** Once no mark is unsent, nothing is said of failures any more. */
function settled(state: ExamState): Step {
  return state.failures > 0 && unsentMarkCount(state.marksUnsent) === 0 ? set(state, { failures: 0 }) : stay(state);
}

/** At the last question the chapter-finish dialog is requested, without a toast: a review is no answer mode (spec §4 Exam). */
function goTo(state: ExamState, wish: number, shows: Shows): Step {
  const count = state.paper.questions.length;
  const by = wish < state.current ? -1 : 1;
  let shown = wish;
  while (shown >= 0 && shown < count && shown !== state.current && !shows(shown)) shown += by;
  const to = move(shown, count, { ...state.record, questionMode: state.questionMode });
  if ('go' in to) {
    return to.go === state.current ? stay(state) : set(state, { current: to.go }, { do: 'address', index: to.go });
  }
  if (to.edge === 'last') return set(state, { dialog: 'finish' });
  return toast(state, state.current === 0 ? msg('当前是第一题，没有上一题了哟！') : msg('前面没有符合筛选的题了'));
}
