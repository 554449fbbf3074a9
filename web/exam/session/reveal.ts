import { msg } from '#web/lib/t.ts';
import type { KeyedQuestion } from '../paper.ts';
import { currentQuestion, type ExamState, type Failure } from './exam-model.ts';
import { recordRefused } from './hand-in.ts';
import { leaveQuestion, sendDue } from './outbox.ts';
import { inTurn, type Step, set, stay, toast } from './step.ts';

function withoutShowing(state: ExamState, questionId: number): ReadonlyMap<number, 'saving' | 'asking'> {
  const showing = new Map(state.showing);
  showing.delete(questionId);
  return showing;
}

function askForKey(state: ExamState, questionId: number): Step {
  return set(state, { showing: new Map(state.showing).set(questionId, 'asking') }, { do: 'show', questionId });
}

/** On coming to a question whose answer is final, its key is asked for again (after a reload it is not here). */
export function askForFinalKey(state: ExamState): Step {
  const id = currentQuestion(state)?.questionId;
  if (id === undefined || !state.finals.has(id) || state.keys.has(id) || state.showing.has(id)) return stay(state);
  return askForKey(state, id);
}

/** 查看答案: the answer is saved first, then the key is asked for, and the answer is final. */
export function show(state: ExamState): Step {
  const id = currentQuestion(state)?.questionId;
  if (id === undefined || state.phase !== 'open' || !state.record.mayReveal || state.showing.has(id))
    return stay(state);
  if (state.keys.has(id) && state.finals.has(id)) return stay(state);
  return inTurn(
    state,
    leaveQuestion,
    (left) => set(left, { advancing: null }),
    (left) => {
      if (!left.answers.unsent.has(id)) return askForKey(left, id);
      return sendDue({ ...left, showing: new Map(left.showing).set(id, 'saving') }, true);
    },
  );
}

/** An answer is saved: where its key waits for that, it is asked for now. */
export function showAfterSave(state: ExamState, questionId: number): Step {
  const waits = state.showing.get(questionId) === 'saving' && !state.answers.unsent.has(questionId);
  return waits ? askForKey(state, questionId) : stay(state);
}

/**
 * A save failed. No key waits any longer for an answer that is not on its way: without a network nobody knows when it would come, and the student
 * may change it until then. Said each time, since they asked.
 */
export function showNotAfterSave(state: ExamState): Step {
  const waits = (id: number) =>
    state.showing.get(id) === 'saving' && (state.answers.unsent.get(id)?.sending ?? null) === null;
  const showing = new Map([...state.showing].filter(([id]) => !waits(id)));
  if (showing.size === state.showing.size) return stay(state);
  return inTurn(
    state,
    (before) => set(before, { showing }),
    (before) => toast(before, msg('作答还没送达服务器，暂时不能看答案')),
  );
}

/** The key is here. `answerState`: what the answer came to (contract `state`). */
export function shown(state: ExamState, question: KeyedQuestion, answerState: number): Step {
  const id = question.questionId;
  return set(state, {
    showing: withoutShowing(state, id),
    hidden: new Set([...state.hidden].filter((one) => one !== id)),
    keys: new Map(state.keys).set(id, question),
    finals: new Map(state.finals).set(id, answerState),
    confirmed: state.confirmed + 1,
  });
}

export function showFailed(state: ExamState, questionId: number, failure: Failure): Step {
  return inTurn(
    state,
    (before) => set(before, { showing: withoutShowing(before, questionId) }),
    (before) =>
      failure.why === 'keyHidden' && before.finals.has(questionId)
        ? set(before, { hidden: new Set([...before.hidden, questionId]) })
        : (recordRefused(before, failure, 'key') ?? toast(before, failure.msg)),
  );
}

/** Answering (1) or reciting (2), where keys may be seen (decisions §3: a scored exam has no recite mode). */
export function setMode(state: ExamState, questionMode: 1 | 2): Step {
  if (!state.record.mayReveal || state.questionMode === questionMode) return stay(state);
  return inTurn(
    state,
    leaveQuestion,
    (left) => set(left, { advancing: null, questionMode }),
    // Asked again each time: what may be revealed changes while an exam with the same questions is open elsewhere.
    (left) =>
      questionMode === 2 && left.recite !== 'asking' ? set(left, { recite: 'asking' }, { do: 'recite' }) : stay(left),
  );
}

/** All keys are here; `hidden`: questions withheld because they are in an open exam. */
export function recited(state: ExamState, questions: readonly KeyedQuestion[], hidden: readonly number[]): Step {
  const keys = new Map(state.keys);
  for (const question of questions) keys.set(question.questionId, question);
  // What was shown before, and is withheld now.
  for (const questionId of hidden) keys.delete(questionId);
  return set(state, { recite: 'there', keys, hidden: new Set(hidden) });
}

export function reciteFailed(state: ExamState, { msg }: Failure): Step {
  return inTurn(
    state,
    (before) => set(before, { recite: 'none', questionMode: 1 }),
    (before) => toast(before, msg),
  );
}

/**
 * A scored exam began in another window: what was shown here may be withheld now, so nothing of it is shown from memory any more (decisions §3 "No answer
 * leaks"). The server says what may still be seen.
 */
export function forgetKeys(state: ExamState): Step {
  if (!state.record.mayReveal || (state.keys.size === 0 && state.finals.size === 0)) return stay(state);
  const forgotten = { keys: new Map(), finals: new Map([...state.finals.keys()].map((id) => [id, 0])) };
  return inTurn(
    state,
    (before) => set(before, forgotten, { do: 'refresh' }),
    (before) => (before.questionMode === 2 ? set(before, { recite: 'asking' }, { do: 'recite' }) : stay(before)),
  );
}
