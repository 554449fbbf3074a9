import { choose, clearAnswer, quiet, type } from './answering.ts';
import type { ExamEvent, ExamState } from './exam-model.ts';
import { submit, submitAgain, submitFailed, submitStopped, submitted, tick } from './hand-in.ts';
import { keepAgain, kept } from './keeping.ts';
import { markFailed, markSaved, toggleMark } from './marks.ts';
import { advance, goTo } from './moving.ts';
import { leaveQuestion } from './outbox.ts';
import { forgetKeys, recited, reciteFailed, setMode, show, showFailed, shown } from './reveal.ts';
import { offline, online, retry, retryNow, saved, saveFailed } from './sending.ts';
import { refreshed, takenOver, tookOver } from './snapshot.ts';
import { type Step, set, stay } from './step.ts';

/** One event in; the next state and what it asks for out. Events that no longer fit are ignored. */
export function stepExam(state: ExamState, event: ExamEvent): Step {
  switch (event.type) {
    case 'chosen':
      return choose(state, event.letter, event.now, event.stays);
    case 'typed':
      return type(state, event.text, event.now);
    case 'cleared':
      return clearAnswer(state, event.now);
    case 'quiet':
      return quiet(state, event.questionId, event.seq);
    case 'left':
      return leaveQuestion(state);
    case 'go':
      return goTo(state, event.to);
    case 'advance':
      return advance(state, event.chosenAt);
    case 'saved':
      return saved(state, event);
    case 'saveFailed':
      return saveFailed(state, event.sent, event.failure, event.jitter);
    case 'retry':
      return retry(state, event.round);
    case 'retryNow':
      return retryNow(state);
    case 'online':
      return online(state);
    case 'offline':
      return offline(state);
    case 'marked':
      return toggleMark(state, event.mark, event.questionId);
    case 'markSaved':
      return markSaved(state, event.change);
    case 'markFailed':
      return markFailed(state, event.change, event.failure);
    case 'takenOver':
      return takenOver(state);
    case 'tookOver':
      return tookOver(state, event.snapshot, event.asked);
    case 'refreshed':
      return refreshed(state, event.snapshot, event.asked);
    case 'submit':
      return submit(state);
    case 'submitted':
      return submitted(state, event.result);
    case 'submitFailed':
      return submitFailed(state, event.sent, event.failure, event.jitter);
    case 'submitAgain':
      return submitAgain(state, event.round);
    case 'submitStopped':
      return submitStopped(state);
    case 'tick':
      return tick(state, event.left, event.doubt);
    case 'kept':
      return kept(state, event, event.kept);
    case 'keepAgain':
      return keepAgain(state);
    case 'mode':
      return setMode(state, event.questionMode);
    case 'recited':
      return recited(state, event.questions, event.hidden);
    case 'reciteFailed':
      return reciteFailed(state, event.failure);
    case 'examBegan':
      return forgetKeys(state);
    case 'show':
      return show(state);
    case 'shown':
      return shown(state, event.question, event.state);
    case 'showFailed':
      return showFailed(state, event.questionId, event.failure);
    case 'autoAdvance':
      return set(state, { autoAdvance: event.on });
    case 'showAtOnce':
      return set(state, { showAtOnce: event.on });
    case 'scratch':
      return set(state, { scratch: event.on, advancing: null });
    case 'striking':
      return set(state, { striking: event.on, advancing: null });
    case 'struck':
      return set(state, { advancing: null });
    case 'givenSeen':
      return set(state, { given: null });
    case 'ownTimeSeen':
      return set(state, { ownTimeSeen: true });
    case 'dialog':
      return state.phase === 'handing' ? stay(state) : set(state, { dialog: event.dialog });
  }
}
