import type { FailedWhy } from '#web/lib/send.ts';
import { msg } from '#web/lib/t.ts';
import type { HandInReply } from '../paper.ts';
import { enclosed, handedIn, leave, refuse, type UnsentAnswer } from './answers-state.ts';
import { backOff } from './back-off.ts';
import { anyAnswered, currentQuestion, type ExamState, type Failure } from './exam-model.ts';
import { sendDue, sendWaiting, withAnswers } from './outbox.ts';
import { ask, inTurn, type Step, set, stay, toast } from './step.ts';

/** Refusals of a hand-in that would come again for the same answers inside. */
const unfit: ReadonlySet<FailedWhy> = new Set<FailedWhy>([
  'answerMalformed',
  'badInput',
  'seqTaken',
  'tooLarge',
  'paperChanged',
]);

/** Hands in with every answer that the server has not acknowledged inside (decisions §3: hand-in is exact-once). */
function handIn(state: ExamState, byTime: boolean): Step {
  const id = currentQuestion(state)?.questionId;
  return inTurn(
    state,
    (before) => set(before, { phase: 'handing', handing: true, byTime, dialog: 'submit' }),
    (handing) => (id === undefined ? stay(handing) : withAnswers(handing, leave(handing.answers, id))),
    (handing) =>
      ask(handing, {
        do: 'submit',
        answers: enclosed(handing.answers),
        ...(byTime ? { extraTime: handing.record.extraTime } : {}),
      }),
  );
}

/** Hands in once more, where one failed and none is under way; else nothing. */
export function handInAgain(state: ExamState): Step {
  return state.phase === 'handing' && !state.handing ? handIn(state, state.byTime) : stay(state);
}

/** 交卷, or 立即重试 after one that failed. */
export function submit(state: ExamState): Step {
  return state.phase === 'open' ? handIn(state, false) : handInAgain(state);
}

/** The time before the next try is over; an older timer does nothing. */
export function submitAgain(state: ExamState, round: number): Step {
  return round === state.round ? handInAgain(state) : stay(state);
}

/** 返回继续作答 after a hand-in that failed; not once the time is over. */
export function submitStopped(state: ExamState): Step {
  if (state.phase !== 'handing' || state.handing || state.over) return stay(state);
  return inTurn(
    state,
    (handing) => set(handing, { phase: 'open', handTries: 0, dialog: null, round: handing.round + 1 }),
    sendWaiting,
  );
}

/** The record is handed in, by this window (`result`) or elsewhere (null). */
export function submitted(state: ExamState, result: HandInReply | null): Step {
  if (state.phase === 'closed') return stay(state);
  // The server's news of one's own hand-in may overtake its reply, and only that names what came too late.
  if (result === null && state.handing) return stay(state);
  return inTurn(
    state,
    (before) => (result === null ? stay(before) : withAnswers(before, handedIn(before.answers))),
    (before) => set(before, { phase: 'closed', handing: false, dialog: null }, { do: 'goto', to: 'result' }),
  );
}

/** A hand-in failed. `sent`: the answers inside; `jitter`: 0 to 1. */
export function submitFailed(state: ExamState, sent: readonly UnsentAnswer[], failure: Failure, jitter: number): Step {
  if (state.phase !== 'handing') return stay(state);
  const closed = recordRefused(state, failure, 'handIn');
  if (closed) return closed;
  const without = unfit.has(failure.why) ? handInUnfit(state, sent, failure) : null;
  if (without) return without;
  const handTries = state.handTries + 1;
  const round = state.round + 1;
  return set(
    state,
    { handing: false, handTries, round },
    { do: 'wait', ms: backOff(handTries, jitter), event: { type: 'submitAgain', round } },
    // Time was given back, of which this window has not heard: how much, the server says (`timeGiven`).
    ...(failure.why === 'moreTime' ? [{ do: 'refresh' } as const] : []),
  );
}

/**
 * The hand-in was refused and would be again. Before the end the student goes on: the answers are sent one by one, so the
 * server says which of them it refuses, and the others are saved. After the end nothing can be mended, and the paper is
 * handed in without what was refused: the answer that the refusal names (`at`), else all that were enclosed. Those stay in
 * this browser and are named on the result page. Null: it was refused with no answer enclosed.
 */
function handInUnfit(state: ExamState, sent: readonly UnsentAnswer[], { msg: sentence, at }: Failure): Step | null {
  if (!state.over) {
    return inTurn(
      state,
      (handing) => set(handing, { phase: 'open', handing: false, dialog: null }),
      (open) => toast(open, sentence),
      (open) => sendDue(open, true),
    );
  }
  if (sent.length === 0) return null;
  const named = at === undefined ? undefined : sent[at];
  return inTurn(
    state,
    (over) => withAnswers(over, refuse(over.answers, named ? [named] : sent)),
    (over) => handIn(over, over.byTime),
  );
}

/**
 * What the clock says. While it is in doubt (the machine slept, or its clock was set) it does not end an exam, which cannot be
 * undone: the screen says that the end has come, or may have, and waits for the server.
 */
export function tick(state: ExamState, left: number, doubt?: { left: number }): Step {
  if (state.over) return stay(state);
  if (left <= 0 && doubt === undefined) return timeUp(state);
  const ending = left <= 0 ? 'waits' : doubt !== undefined && doubt.left <= 0 ? 'maybe' : 'certain';
  if (ending === state.ending) return stay(state);
  return set(state, { ending, ...(ending === 'waits' ? { advancing: null } : {}) });
}

/** The time is over: with any answer the paper is handed in, without one the student goes to 考题中心 (spec §4). */
function timeUp(state: ExamState): Step {
  if (state.over) return stay(state);
  return inTurn(
    state,
    (before) => set(before, { over: true, ending: 'certain' }),
    (over) => {
      if (over.phase !== 'open') return stay(over);
      return anyAnswered(over) ? handIn(over, true) : set(over, { phase: 'closed' }, { do: 'goto', to: 'examCenter' });
    },
  );
}

/** The state of a hand-in that the end began, and that time given back has stopped: what is unsent goes out one by one. */
const goOn = (state: ExamState): ExamState => ({
  ...state,
  phase: 'open',
  over: false,
  ending: 'certain',
  handing: false,
  byTime: false,
  handTries: 0,
  dialog: null,
  round: state.round + 1,
});

/**
 * Time was given back to the record (补时): the note says how much and why, the end is a new one, and a hand-in that only the
 * old end had begun is none any more. One that is on its way may still arrive: the server refuses it, or has closed the record
 * before. What the student hands in themself stays handed in.
 */
export function timeGiven(state: ExamState, { endsAt, extraTime, extraReason }: ExamState['record']): Step {
  const minutes = extraTime - state.record.extraTime;
  const told = minutes > 0 ? { given: { minutes, reason: extraReason } } : {};
  const record = { ...state.record, endsAt, extraTime, extraReason };
  if (minutes <= 0 || !state.over) return set(state, { record, ...told });
  const stopped = state.phase === 'handing' && state.byTime;
  const before = stopped ? goOn(state) : { ...state, over: false, ending: 'certain' as const };
  return inTurn({ ...before, record, ...told }, (open) => (stopped ? sendDue(open, true) : stay(open)));
}

/** Another window answers now; this one only shows. */
export function lock(state: ExamState): Step {
  return set(state, { phase: 'takenOver', dialog: null, handing: false, handTries: 0 });
}

/** What a call that came too late was about: each says what did not happen, and nothing else. */
const lateWords = {
  answer: msg('考试时间已到，这次修改没有计入'),
  mark: msg('考试时间已到，这个标记没有保存'),
  key: msg('考试时间已到，请在交卷后查看答案'),
  handIn: msg('考试时间已到，试卷由服务器自动提交'),
} as const;

/** What every refusal that concerns the whole record does; null when it concerns only the one call. `of`: what the call was about. */
export function recordRefused(state: ExamState, { why }: Failure, of: keyof typeof lateWords): Step | null {
  if (why === 'takenOver') return lock(state);
  if (why === 'alreadySubmitted') return set(state, { phase: 'closed' }, { do: 'goto', to: 'result' });
  if (why === 'tooLate') return inTurn(state, (late) => toast(late, lateWords[of]), timeUp);
  return null;
}
