import { ADVANCE_AFTER, advances, move } from '#rules/exam/navigation.ts';
import type { FailedWhy } from '#web/lib/send.ts';
import { msg } from '#web/lib/t.ts';
import * as kept from './answers-state.ts';
import {
  anyAnswered,
  currentQuestion,
  type ExamEvent,
  type ExamState,
  type Failure,
  mayAnswer,
  type Step,
} from './exam-model.ts';
import { backOff, FAILURE_LIMIT, Steps } from './exam-steps.ts';
import { byLetters, choose, type Held, type Paper, type Question } from './paper.ts';

/** Milliseconds without a change after which an answer is saved while the student still looks at the question. */
const QUIET = 800;
/** Milliseconds until a mark that did not arrive is sent again. */
const FLAG_RETRY = 5000;
/** The pace of retries while the session is gone, as of so many failures: the person has to sign in first. */
const SIGNED_OUT_TRIES = 4;
/** Milliseconds between two tries while the browser says that it is offline. */
const OFFLINE_RETRY = 15_000;

/** The questions whose answer is final because their key was shown. */
function finalsOf(held: Held): Map<number, number> {
  return new Map(held.answers.filter((one) => one.showAnswerFlag === 1).map((one) => [one.questionId, one.state]));
}

/** Opens a record: what the server holds joined with what this browser kept, which is unsent until acknowledged. */
export function openExam(
  paper: Paper,
  held: Held,
  local: readonly kept.Kept[],
  at: { index: number; autoAdvance: boolean; online: boolean },
): Step {
  const { answers, outdated } = kept.merge(held, local);
  const { answers: inCache, now: _now, remaining: _remaining, ...rest } = held;
  const last = paper.questions.length - 1;
  const state: ExamState = {
    paper,
    questions: new Map(paper.questions.map((question) => [question.questionId, question])),
    held: rest,
    phase: held.submittedAt !== null ? 'closed' : held.ownsWindow ? 'open' : 'takenOver',
    current: Math.max(0, Math.min(at.index, last)),
    questionMode: 1,
    autoAdvance: at.autoAdvance,
    advancing: null,
    answers,
    flags: new Set(inCache.filter(({ flag }) => flag === 1).map(({ questionId }) => questionId)),
    flagsUnsent: new Map(),
    keys: new Map(),
    finals: finalsOf(held),
    showing: new Map(),
    recite: 'none',
    hidden: new Set(),
    online: at.online,
    confirmed: 0,
    signedOut: false,
    failures: 0,
    round: 0,
    savedAt: null,
    handTries: 0,
    handing: false,
    over: false,
    dialog: null,
  };
  const step = new Steps(state);
  for (const one of outdated) step.ask({ do: 'forget', kept: one });
  if (state.phase === 'closed') step.ask({ do: 'goto', to: 'result' });
  else arrive(step).pump();
  if (!at.online) whileOffline(step);
  return step.done();
}

/** Refusals of a hand-in that would come again for the same answers inside. */
const unfit: ReadonlySet<FailedWhy> = new Set<FailedWhy>(['answerMalformed', 'badInput', 'tooLarge']);

/** Refusals of one answer for good. */
const final: ReadonlySet<FailedWhy> = new Set<FailedWhy>([
  'answerMalformed',
  'badInput',
  'answerShown',
  'questionGone',
]);

/** Failures that may be over a moment later. */
const passing: ReadonlySet<FailedWhy> = new Set<FailedWhy>(['offline', 'busy', 'broken', 'tooMany', 'notSignedIn']);

/** On coming to a question whose answer is final, its key is asked for again (after a reload it is not here). */
function arrive(step: Steps): Steps {
  const { state } = step;
  const id = currentQuestion(state)?.questionId;
  if (id === undefined || !state.finals.has(id) || state.keys.has(id) || state.showing.has(id)) return step;
  return step.set({ showing: new Map(state.showing).set(id, 'asking') }).ask({ do: 'show', questionId: id });
}

function leaveCurrent(step: Steps): Steps {
  const id = currentQuestion(step.state)?.questionId;
  if (id === undefined || step.state.phase !== 'open') return step;
  return step.answers(kept.leave(step.state.answers, id)).pump();
}

function goTo(step: Steps, wish: number): Steps {
  const { state } = step;
  const to = move(wish, state.paper.questions.length, { ...state.held, questionMode: state.questionMode });
  leaveCurrent(step).set({ advancing: null });
  if ('go' in to) {
    if (to.go === state.current) return step;
    return arrive(step.set({ current: to.go }).ask({ do: 'address', index: to.go }));
  }
  if (to.edge === 'first') return step.toast(msg('当前是第一题，没有上一题了哟！'));
  if (state.questionMode === 1) step.toast(msg('没有下一题了呦！'));
  return to.finish ? step.set({ dialog: 'finish' }) : step;
}

function answerCurrent(step: Steps, value: (question: Question, now: string) => string, now: number): Steps {
  const { state } = step;
  const question = currentQuestion(state);
  if (!question || !mayAnswer(state, question.questionId)) return step;
  const id = question.questionId;
  step.answers(kept.change(state.answers, id, value(question, state.answers.shown.get(id) ?? ''), now));
  step.set({ advancing: null });
  const waiting = step.state.answers.unsent.get(id);
  if (waiting && waiting.seq !== state.answers.unsent.get(id)?.seq) {
    step.ask({ do: 'wait', ms: QUIET, event: { type: 'quiet', questionId: id, seq: waiting.seq } });
    if (state.autoAdvance && advances(question.questionTypesId, state.current, state.paper.questions.length)) {
      step
        .set({ advancing: waiting.seq })
        .ask({ do: 'wait', ms: ADVANCE_AFTER, event: { type: 'advance', seq: waiting.seq } });
    }
  }
  return step;
}

/** What every refusal that concerns the whole record does; null when `why` concerns only the one call. */
function recordClosed(step: Steps, { why, msg }: Failure): Steps | null {
  if (why === 'takenOver') return step.set({ phase: 'takenOver', dialog: null, handing: false, handTries: 0 });
  if (why === 'alreadySubmitted') return step.set({ phase: 'closed' }).ask({ do: 'goto', to: 'result' });
  if (why === 'tooLate') return timeUp(step.toast(msg));
  return null;
}

function saveFailed(step: Steps, sent: kept.Kept, failure: Failure, jitter: number): Steps {
  const { why } = failure;
  // Not `notFound`: another account signed in in this browser, or the school restored a backup. The answer is kept.
  if (final.has(why)) {
    step.answers(kept.drop(step.state.answers, sent)).toast(failure.msg);
    return (why === 'answerShown' ? step.ask({ do: 'refresh' }) : step).pump();
  }
  step.answers(kept.failed(step.state.answers, sent));
  const closed = recordClosed(step, failure);
  if (closed) return closed;
  const showing = new Map(step.state.showing);
  if (showing.get(sent.questionId) === 'saving') showing.delete(sent.questionId);
  // Being offline, or signed out for a moment, is not a failure of saving: the answers wait.
  if (!step.state.online) return whileOffline(step.set({ showing }));
  const signedOut = why === 'notSignedIn';
  const failures = step.state.failures + (signedOut ? 0 : 1);
  const round = step.state.round + 1;
  if (failures > step.state.failures && failures < FAILURE_LIMIT) step.toast(msg('提交题目失败'));
  if (failures === FAILURE_LIMIT && step.state.failures < FAILURE_LIMIT) step.toast(msg('当前答题异常,请稍后重试'));
  return step
    .set({ signedOut, failures, round, showing })
    .ask({ do: 'wait', ms: backOff(signedOut ? SIGNED_OUT_TRIES : failures, jitter), event: { type: 'retry', round } });
}

/** Browsers say "offline" wrongly too (a VPN, a sleeping adapter): one answer is tried now and then. */
function whileOffline(step: Steps): Steps {
  const round = step.state.round + 1;
  return step.set({ round }).ask({ do: 'wait', ms: OFFLINE_RETRY, event: { type: 'retry', round } });
}

function saved(step: Steps, event: Extract<ExamEvent, { type: 'saved' }>): Steps {
  const id = event.sent.questionId;
  step
    .answers(kept.acknowledge(step.state.answers, event.sent, event.seq))
    // An answer of the server proves the network, whatever the browser says.
    .set({ failures: 0, signedOut: false, online: true, savedAt: event.savedAt, confirmed: step.state.confirmed + 1 });
  if (event.stale) step.ask({ do: 'refresh' });
  if (step.state.showing.get(id) === 'saving' && !step.state.answers.unsent.has(id)) {
    step.set({ showing: new Map(step.state.showing).set(id, 'asking') }).ask({ do: 'show', questionId: id });
  }
  return step.pump();
}

function handIn(step: Steps): Steps {
  const { state } = step;
  const current = currentQuestion(state)?.questionId;
  if (current !== undefined) step.answers(kept.leave(state.answers, current));
  const answers = kept.enclosed(step.state.answers);
  return step.set({ phase: 'handing', handing: true, dialog: 'submit' }).ask({ do: 'submit', answers });
}

/**
 * The hand-in would be refused again as it is. In time, the student goes on: sent one by one, the server says which
 * answer it does not take, and the others are saved. Once the time is over nothing can be mended, and the paper is handed
 * in without what was refused: the answer that `field` names ("answers.3.seq"), else all that were inside. Those stay
 * in this browser and are named on the result page. Null: it was refused without answers inside.
 */
function handInUnfit(step: Steps, sent: readonly kept.Kept[], failure: Failure): Steps | null {
  if (!step.state.over) {
    return step.set({ phase: 'open', handing: false, dialog: null }).toast(failure.msg).pump(true);
  }
  if (sent.length === 0) return null;
  const named = sent[Number(/^answers\.(\d+)/.exec(failure.field ?? '')?.[1] ?? -1)];
  return handIn(step.answers(kept.refuse(step.state.answers, named ? [named] : sent)));
}

/** The time is over: with any answer the paper is handed in, without one the student goes to 考题中心 (spec §4). */
function timeUp(step: Steps): Steps {
  if (step.state.over) return step;
  step.set({ over: true });
  if (step.state.phase !== 'open') return step;
  return anyAnswered(step.state) ? handIn(step) : step.set({ phase: 'closed' }).ask({ do: 'goto', to: 'examCenter' });
}

function toggleFlag(step: Steps): Steps {
  const { state } = step;
  const id = currentQuestion(state)?.questionId;
  if (id === undefined || state.phase !== 'open' || state.over) return step;
  const flag = !state.flags.has(id);
  const flags = new Set(state.flags);
  if (flag) flags.add(id);
  else flags.delete(id);
  return step
    .set({ flags, flagsUnsent: new Map(state.flagsUnsent).set(id, flag), advancing: null })
    .ask({ do: 'flag', questionId: id, flag });
}

function flagSettled(step: Steps, questionId: number, flag: boolean): Steps {
  if (step.state.flagsUnsent.get(questionId) !== flag) return step;
  const flagsUnsent = new Map(step.state.flagsUnsent);
  flagsUnsent.delete(questionId);
  return step.set({ flagsUnsent, confirmed: step.state.confirmed + 1 });
}

/** Sends again whatever waits: the marks, and the answers (one as a probe while saving is blocked). */
function sendWaiting(step: Steps): Steps {
  if (![...step.state.answers.unsent.values()].some((one) => one.due)) step.set({ failures: 0 });
  for (const [questionId, flag] of step.state.flagsUnsent) step.ask({ do: 'flag', questionId, flag });
  return step.pump(true);
}

/**
 * What the server holds now, after taking over or after a doubt: own unsent answers stay where they are newer. `resend`:
 * whatever was on its way was refused, everything is due again.
 */
function reconcile(step: Steps, held: Held, resend: boolean): Steps {
  const { state } = step;
  const local = [...state.answers.unsent].map(([questionId, { answer, seq }]) => ({ questionId, answer, seq }));
  const { answers } = kept.merge(held, local);
  const unsent = new Map(answers.unsent);
  if (!resend) {
    // What is on its way stays on its way.
    for (const [id, one] of state.answers.unsent) if (unsent.has(id)) unsent.set(id, one);
  }
  // What is under the student's hands now is not replaced, unless its question was answered elsewhere.
  const shown = new Map(answers.shown);
  const here = currentQuestion(state)?.questionId;
  const hands = here === undefined ? undefined : state.answers.shown.get(here);
  if (here !== undefined && kept.standing(answers, here) === kept.standing(state.answers, here)) {
    if (hands !== undefined) shown.set(here, hands);
  }
  const { answers: inCache, now: _now, remaining: _remaining, ...rest } = held;
  const flags = new Set(inCache.filter(({ flag }) => flag === 1).map(({ questionId }) => questionId));
  for (const [id, flag] of state.flagsUnsent) {
    if (flag) flags.add(id);
    else flags.delete(id);
  }
  step.answers({ ...answers, shown, unsent, seq: Math.max(answers.seq, state.answers.seq) });
  return arrive(step.set({ held: rest, flags, finals: finalsOf(held) }));
}

/**
 * An answer of the server to "what do you hold" that was asked before its latest confirmation may miss what it confirmed:
 * taken as it is, an answer that is safely stored would vanish from the screen. It is asked again.
 */
function refreshed(step: Steps, { held, asked }: { held: Held; asked: number }, resend: boolean): Steps {
  if (held.submittedAt !== null) {
    // By this window's own hand-in: only its reply names what came too late.
    if (step.state.handing) return step;
    return step.state.phase === 'closed' ? step : step.set({ phase: 'closed' }).ask({ do: 'goto', to: 'result' });
  }
  const old = asked !== step.state.confirmed;
  if (old) step.ask({ do: 'refresh' });
  if (old && !resend) return step;
  if (step.state.phase === 'open' && !held.ownsWindow) return step.set({ phase: 'takenOver', dialog: null });
  if (step.state.phase === 'open' || step.state.phase === 'takenOver') reconcile(step, held, resend);
  return step.pump();
}

function setMode(step: Steps, questionMode: 1 | 2): Steps {
  if (!step.state.held.mayReveal || step.state.questionMode === questionMode) return step;
  leaveCurrent(step).set({ questionMode });
  // Asked again each time: what may be revealed changes while an exam with the same questions is open elsewhere.
  if (questionMode === 2 && step.state.recite !== 'asking') step.set({ recite: 'asking' }).ask({ do: 'recite' });
  return step;
}

function show(step: Steps): Steps {
  const { state } = step;
  const id = currentQuestion(state)?.questionId;
  if (id === undefined || state.phase !== 'open' || !state.held.mayReveal || state.showing.has(id)) return step;
  if (state.keys.has(id) && state.finals.has(id)) return step;
  leaveCurrent(step).set({ advancing: null });
  const saving = step.state.answers.unsent.has(id);
  step.set({ showing: new Map(state.showing).set(id, saving ? 'saving' : 'asking') });
  return saving ? step.pump(true) : step.ask({ do: 'show', questionId: id });
}

function stopShowing(step: Steps, id: number): Steps {
  const showing = new Map(step.state.showing);
  showing.delete(id);
  return step.set({ showing });
}

/** One event in; the next state and what it asks for out. Events that no longer fit are ignored. */
export function stepExam(state: ExamState, event: ExamEvent): Step {
  const step = new Steps(state);
  switch (event.type) {
    case 'chosen':
      return answerCurrent(
        step,
        (question, before) =>
          byLetters(question.questionTypesId) && event.letter in question.options
            ? choose(question.questionTypesId, before, event.letter)
            : before,
        event.now,
      ).done();
    case 'typed':
      return answerCurrent(
        step,
        (question, before) => (byLetters(question.questionTypesId) ? before : event.text),
        event.now,
      ).done();
    case 'cleared': {
      const id = currentQuestion(state)?.questionId;
      if (id === undefined || !mayAnswer(state, id)) return step.done();
      return step
        .set({ advancing: null })
        .answers(kept.clear(state.answers, id, event.now))
        .pump()
        .done();
    }
    case 'left':
      return leaveCurrent(step).done();
    case 'go':
      return goTo(step, event.to).done();
    case 'quiet':
      if (state.answers.unsent.get(event.questionId)?.seq !== event.seq) return step.done();
      return step.answers(kept.due(state.answers, event.questionId)).pump().done();
    case 'advance': {
      const id = currentQuestion(state)?.questionId;
      if (id === undefined || state.advancing !== event.seq || !state.autoAdvance) return step.done();
      if (!mayAnswer(state, id) || state.dialog !== null) return step.done();
      return goTo(step, state.current + 1).done();
    }
    case 'saved':
      return saved(step, event).done();
    case 'saveFailed':
      return saveFailed(step, event.sent, event.failure, event.jitter).done();
    case 'retry':
      if (event.round !== state.round) return step.done();
      if (state.phase === 'handing' && !state.handing) return handIn(step).done();
      return (state.online ? sendWaiting(step) : whileOffline(sendWaiting(step))).done();
    case 'retryNow':
      return sendWaiting(step.set({ round: state.round + 1 })).done();
    case 'online':
      sendWaiting(step.set({ online: true, round: state.round + 1 }));
      return state.phase === 'handing' && !state.handing ? handIn(step).done() : step.ask({ do: 'refresh' }).done();
    case 'offline':
      return whileOffline(step.set({ online: false })).done();
    case 'flagged':
      return toggleFlag(step).done();
    case 'flagSaved':
      return flagSettled(step, event.questionId, event.flag).done();
    case 'flagFailed':
      if (passing.has(event.failure.why)) {
        step.ask({ do: 'wait', ms: FLAG_RETRY, event: { type: 'retry', round: state.round } });
      } else {
        recordClosed(flagSettled(step, event.questionId, event.flag), event.failure);
      }
      return step.done();
    case 'takenOver':
      return state.phase === 'open' || state.phase === 'handing'
        ? step.set({ phase: 'takenOver', dialog: null, handing: false, handTries: 0 }).done()
        : step.done();
    case 'tookOver':
      if (state.phase === 'closed') return step.done();
      refreshed(step.set({ phase: 'open', failures: 0, over: false }), event, true);
      // What the server was asked before the taking over may still say that another window has the paper.
      return step.set({ confirmed: step.state.confirmed + 1 }).done();
    case 'refreshed':
      return refreshed(step, event, false).done();
    case 'submit':
      return state.phase === 'open' || (state.phase === 'handing' && !state.handing)
        ? handIn(step).done()
        : step.done();
    case 'submitted':
      if (state.phase === 'closed') return step.done();
      // The server's news of one's own hand-in may overtake its reply, and only that names what came too late.
      if (event.result === null && state.handing) return step.done();
      if (event.result) step.answers(kept.handedIn(state.answers));
      return step.set({ phase: 'closed', handing: false, dialog: null }).ask({ do: 'goto', to: 'result' }).done();
    case 'submitFailed': {
      if (state.phase !== 'handing') return step.done();
      const closed = recordClosed(step, event.failure);
      if (closed) return closed.done();
      if (unfit.has(event.failure.why)) {
        const without = handInUnfit(step, event.sent, event.failure);
        if (without) return without.done();
      }
      const handTries = state.handTries + 1;
      const round = state.round + 1;
      step.set({ handing: false, handTries, round });
      return step
        .ask({ do: 'wait', ms: backOff(handTries, event.jitter), event: { type: 'submitAgain', round } })
        .done();
    }
    case 'submitAgain':
      return state.phase === 'handing' && !state.handing && event.round === state.round
        ? handIn(step).done()
        : step.done();
    case 'submitStopped':
      if (state.phase !== 'handing' || state.handing || state.over) return step.done();
      return sendWaiting(step.set({ phase: 'open', handTries: 0, dialog: null, round: state.round + 1 })).done();
    case 'tick':
      return event.left <= 0 ? timeUp(step).done() : step.done();
    case 'mode':
      return setMode(step, event.questionMode).done();
    case 'recited': {
      const keys = new Map(state.keys);
      for (const question of event.questions) keys.set(question.questionId, question);
      return step.set({ recite: 'there', keys, hidden: new Set(event.hidden) }).done();
    }
    case 'reciteFailed':
      return step.set({ recite: 'none', questionMode: 1 }).toast(event.failure.msg).done();
    case 'show':
      return show(step).done();
    case 'shown': {
      const id = event.question.questionId;
      stopShowing(step, id);
      return step
        .set({
          keys: new Map(state.keys).set(id, event.question),
          finals: new Map(state.finals).set(id, event.state),
          confirmed: state.confirmed + 1,
        })
        .done();
    }
    case 'showFailed': {
      stopShowing(step, event.questionId);
      const closed = recordClosed(step, event.failure);
      if (closed) return closed.done();
      return step.toast(event.failure.msg).done();
    }
    case 'autoAdvance':
      return step.set({ autoAdvance: event.on }).done();
    case 'dialog':
      return state.phase === 'handing' ? step.done() : step.set({ dialog: event.dialog }).done();
  }
}
