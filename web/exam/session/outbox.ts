import { msg } from '#web/lib/t.ts';
import { type Answers, leave, take } from './answers-state.ts';
import { currentQuestion, type ExamRequest, type ExamState } from './exam-model.ts';
import { sendMarks } from './marks-state.ts';
import { inTurn, type Step, set, stay } from './step.ts';

/** Failures in a row after which saving is blocked and only retried in the background (spec §5, §9). */
export const FAILURE_LIMIT = 3;
/** Saves under way at once. */
const SAVES_AT_ONCE = 4;
/** What a person is told whose answers cannot be saved (spec §5, §8). */
export const BLOCKED = msg('当前答题异常,请稍后重试');

/**
 * Takes new answers. What is unsent goes onto this browser's disk, what is settled leaves it; and a change that would be
 * sent now but waits because saving is blocked says so, each time (spec §5).
 */
export function withAnswers(state: ExamState, answers: Answers): Step {
  const before = state.answers.unsent;
  const requests: ExamRequest[] = [];
  const blocked = state.phase === 'open' && state.online && state.failures >= FAILURE_LIMIT;
  let waits = false;
  for (const [questionId, { answer, seq, due }] of answers.unsent) {
    const known = before.get(questionId);
    if (known?.seq !== seq) requests.push({ do: 'keep', unsent: { questionId, answer, seq } });
    if (due && !(known?.seq === seq && known.due)) waits = blocked;
  }
  for (const [questionId, { answer, seq }] of before) {
    if (!answers.unsent.has(questionId)) requests.push({ do: 'forget', unsent: { questionId, answer, seq } });
  }
  if (waits) requests.push({ do: 'toast', text: BLOCKED });
  return set(state, { answers }, ...requests);
}

/** Sends what is due, as many at once as may be, unless saving is blocked. `probe` sends one although it is blocked or offline. */
export function sendDue(state: ExamState, probe = false): Step {
  if (state.phase !== 'open' && state.phase !== 'handing') return stay(state);
  const blocked = !state.online || state.failures >= FAILURE_LIMIT;
  if (blocked && !probe) return stay(state);
  const { answers, sent } = take(state.answers, blocked ? 1 : SAVES_AT_ONCE);
  return set(state, { answers }, ...sent.map((unsent): ExamRequest => ({ do: 'save', unsent })));
}

/** The student leaves the question on the screen, or the page: its change is due now. */
export function leaveQuestion(state: ExamState): Step {
  const id = currentQuestion(state)?.questionId;
  if (id === undefined || state.phase !== 'open') return stay(state);
  return inTurn(state, (open) => withAnswers(open, leave(open.answers, id)), sendDue);
}

/** Sends again whatever waits: the marks, and the answers (one as a probe while saving is blocked). */
export function sendWaiting(state: ExamState): Step {
  const anyDue = [...state.answers.unsent.values()].some(({ due }) => due);
  return inTurn(
    state,
    (waiting) => set(waiting, anyDue ? {} : { failures: 0 }, ...sendMarks(waiting.marksUnsent)),
    (waiting) => sendDue(waiting, true),
  );
}
