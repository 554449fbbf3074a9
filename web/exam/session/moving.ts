import { move } from '#rules/exam/navigation.ts';
import { msg } from '#web/lib/t.ts';
import { currentQuestion, type ExamState, mayAnswer } from './exam-model.ts';
import { leaveQuestion } from './outbox.ts';
import { askForFinalKey } from './reveal.ts';
import { inTurn, type Step, set, stay, toast } from './step.ts';

/** Goes to the question at `index` (from 0), or says what stands at the edges (spec §4 Exam). */
export function goTo(state: ExamState, index: number): Step {
  const to = move(index, state.paper.questions.length, { ...state.record, questionMode: state.questionMode });
  return inTurn(
    state,
    leaveQuestion,
    (left) => set(left, { advancing: null }),
    (left) => {
      if ('go' in to) {
        if (to.go === left.current) return stay(left);
        return inTurn(left, (here) => set(here, { current: to.go }, { do: 'address', index: to.go }), askForFinalKey);
      }
      if (to.edge === 'first') return toast(left, msg('当前是第一题，没有上一题了哟！'));
      return inTurn(
        left,
        (last) => (last.questionMode === 1 ? toast(last, msg('没有下一题了呦！')) : stay(last)),
        (last) => (to.finish ? set(last, { dialog: 'finish' }) : stay(last)),
      );
    },
  );
}

/** The time after a choice is over: on to the next question, unless something else happened since. */
export function advance(state: ExamState, chosenAt: number): Step {
  const id = currentQuestion(state)?.questionId;
  if (id === undefined || state.advancing !== chosenAt || !state.autoAdvance) return stay(state);
  if (!mayAnswer(state, id) || state.dialog !== null) return stay(state);
  return goTo(state, state.current + 1);
}
