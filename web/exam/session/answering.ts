import { ADVANCE_AFTER, advances } from '#rules/exam/navigation.ts';
import { byLetters, choose as chooseLetter, manyLetters, type Question } from '../paper.ts';
import { change, clear, due } from './answers-state.ts';
import { currentQuestion, type ExamState, mayAnswer } from './exam-model.ts';
import { toggleMark } from './marks.ts';
import { sendDue, withAnswers } from './outbox.ts';
import { show } from './reveal.ts';
import { inTurn, type Step, set, stay } from './step.ts';

/** Milliseconds without a change after which an answer is saved while the student still looks at the question. */
const QUIET = 800;

/** The question on the screen where it can be answered here and now, else null. */
function answerable(state: ExamState): Question | null {
  const question = currentQuestion(state);
  return question && mayAnswer(state, question.questionId) ? question : null;
}

/** The answer of the question on the screen becomes `value`, and is saved once nothing changes for a while. */
function answerWith(state: ExamState, { questionId }: Question, value: string, now: number): Step {
  return inTurn(
    state,
    (before) => withAnswers(before, change(before.answers, questionId, value, now)),
    (after) => {
      const seq = after.answers.unsent.get(questionId)?.seq;
      if (seq === undefined || seq === state.answers.unsent.get(questionId)?.seq)
        return set(after, { advancing: null });
      return set(after, { advancing: null }, { do: 'wait', ms: QUIET, event: { type: 'quiet', questionId, seq } });
    },
  );
}

/**
 * A letter is chosen. Single choice and judge questions move on 500 ms later (spec §4), also when the letter was chosen
 * before: the student says again that this is the answer. `stays`: not after an arrow key, which may be on its way to another.
 * Where the student wants each answer at once, and may see it, the key is shown instead.
 */
export function choose(state: ExamState, letter: string, now: number, stays = false): Step {
  const question = answerable(state);
  if (!question || !byLetters(question.questionTypesId) || !(letter in question.options)) return stay(state);
  const before = state.answers.shown.get(question.questionId) ?? '';
  const value = chooseLetter(question.questionTypesId, before, letter);
  const shows = !stays && state.showAtOnce && state.record.mayReveal && !manyLetters(question.questionTypesId);
  const goesOn =
    !stays &&
    !shows &&
    state.autoAdvance &&
    advances(question.questionTypesId, state.current, state.paper.questions.length);
  return inTurn(
    state,
    (choosing) => (value === before ? stay(choosing) : answerWith(choosing, question, value, now)),
    (chosen) => (shows ? show(chosen) : stay(chosen)),
    (chosen) =>
      goesOn
        ? set(chosen, { advancing: now }, { do: 'wait', ms: ADVANCE_AFTER, event: { type: 'advance', chosenAt: now } })
        : stay(chosen),
  );
}

/** A written answer changes. */
export function type(state: ExamState, text: string, now: number): Step {
  const question = answerable(state);
  if (!question || byLetters(question.questionTypesId)) return stay(state);
  return answerWith(state, question, text, now);
}

/** 清除作答: the one way to un-answer (decisions §3). That it was a guess goes with the answer. */
export function clearAnswer(state: ExamState, now: number): Step {
  const question = answerable(state);
  if (!question) return stay(state);
  return inTurn(
    state,
    (before) => set(before, { advancing: null }),
    (before) => withAnswers(before, clear(before.answers, question.questionId, now)),
    (cleared) => (cleared.marks.guess.has(question.questionId) ? toggleMark(cleared, 'guess') : stay(cleared)),
    sendDue,
  );
}

/** Nothing changed for a while: the answer is saved, where it is still that change. */
export function quiet(state: ExamState, questionId: number, seq: number): Step {
  if (state.answers.unsent.get(questionId)?.seq !== seq) return stay(state);
  return inTurn(state, (before) => withAnswers(before, due(before.answers, questionId)), sendDue);
}
