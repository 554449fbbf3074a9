import type { FailedWhy } from '#web/lib/send.ts';
import { msg } from '#web/lib/t.ts';
import { acknowledge, drop, failed, type UnsentAnswer } from './answers-state.ts';
import { backOff } from './back-off.ts';
import type { ExamEvent, ExamState, Failure } from './exam-model.ts';
import { handInAgain, recordRefused } from './hand-in.ts';
import { BLOCKED, FAILURE_LIMIT, sendDue, sendWaiting, withAnswers } from './outbox.ts';
import { showAfterSave, showNotAfterSave } from './reveal.ts';
import { ask, inTurn, type Step, set, stay, toast } from './step.ts';

/** The pace of retries while the session is gone or too much was sent, as of so many failures: they end by themselves. */
const UNHURRIED_TRIES = 4;
/** Milliseconds between two tries while the browser says that it is offline. */
const OFFLINE_RETRY = 15_000;

/** Refusals of one answer for good. */
const final: ReadonlySet<FailedWhy> = new Set<FailedWhy>([
  'answerMalformed',
  'badInput',
  'answerShown',
  'seqTaken',
  'questionGone',
  'paperChanged',
]);

/** Those of them after which the server holds another answer than this window may know of. */
const heldOther: ReadonlySet<FailedWhy> = new Set<FailedWhy>(['answerShown', 'seqTaken']);

/** The server has an answer on its disk. */
export function saved(state: ExamState, event: Extract<ExamEvent, { type: 'saved' }>): Step {
  return inTurn(
    state,
    (before) => withAnswers(before, acknowledge(before.answers, event.sent, event.seq)),
    (after) =>
      set(after, {
        failures: 0,
        signedOut: false,
        // An answer of the server proves the network, whatever the browser says.
        online: true,
        savedAt: event.savedAt,
        confirmed: after.confirmed + 1,
      }),
    // A window that slept hears of more time by its next save.
    (after) =>
      event.stale || (event.extraTime ?? 0) > after.record.extraTime ? ask(after, { do: 'refresh' }) : stay(after),
    (after) => showAfterSave(after, event.sent.questionId),
    sendDue,
  );
}

/** A save failed: refused for good, refused with the whole record, or to be tried again (spec §5, §8). `jitter`: 0 to 1. */
export function saveFailed(state: ExamState, sent: UnsentAnswer, failure: Failure, jitter: number): Step {
  // Not `notFound`: another account signed in in this browser, or the school restored a backup. The answer is kept.
  if (final.has(failure.why)) {
    return inTurn(
      state,
      (before) => withAnswers(before, drop(before.answers, sent)),
      (after) => toast(after, failure.msg),
      (after) => (heldOther.has(failure.why) ? ask(after, { do: 'refresh' }) : stay(after)),
      sendDue,
    );
  }
  return inTurn(
    state,
    (before) => withAnswers(before, failed(before.answers, sent)),
    (after) =>
      recordRefused(after, failure, 'answer') ??
      inTurn(
        after,
        showNotAfterSave,
        // Being offline, or signed out for a moment, is not a failure of saving: the answers wait.
        (open) => (open.online ? retryLater(open, failure, jitter) : retryWhileOffline(open)),
      ),
  );
}

/** Counts the failure, says it, and tries again after a pause that grows. */
function retryLater(state: ExamState, { why, msg: reason }: Failure, jitter: number): Step {
  const signedOut = why === 'notSignedIn';
  // Where the server knows that it cannot store anything, its sentence says what becomes of the answers.
  const blocked = why === 'cannotSave' ? reason : BLOCKED;
  // Too many calls of this person: the server is well and stores what comes a little later.
  const unhurried = signedOut || why === 'tooMany';
  const failures = state.failures + (unhurried ? 0 : 1);
  const round = state.round + 1;
  const tries = unhurried ? UNHURRIED_TRIES : failures;
  return inTurn(
    state,
    (before) => {
      if (failures === before.failures || failures > FAILURE_LIMIT) return stay(before);
      return toast(before, failures === FAILURE_LIMIT ? blocked : msg('提交题目失败'));
    },
    (before) =>
      set(
        before,
        { signedOut, failures, round },
        { do: 'wait', ms: backOff(tries, jitter), event: { type: 'retry', round } },
      ),
  );
}

/** Browsers say "offline" wrongly too (a VPN, a sleeping adapter): one answer is tried now and then. */
export function retryWhileOffline(state: ExamState): Step {
  const round = state.round + 1;
  return set(state, { round }, { do: 'wait', ms: OFFLINE_RETRY, event: { type: 'retry', round } });
}

/** The pause before a retry is over; an older timer does nothing. */
export function retry(state: ExamState, round: number): Step {
  if (round !== state.round) return stay(state);
  if (state.phase === 'handing' && !state.handing) return handInAgain(state);
  return inTurn(state, sendWaiting, (sent) => (state.online ? stay(sent) : retryWhileOffline(sent)));
}

/** 重试: without waiting for the pause to end. */
export function retryNow(state: ExamState): Step {
  return inTurn(state, (before) => set(before, { round: before.round + 1 }), sendWaiting);
}

/** The browser says that the network is back: everything goes out, and what was missed is asked for. */
export function online(state: ExamState): Step {
  return inTurn(
    state,
    (before) => set(before, { online: true, round: before.round + 1 }),
    sendWaiting,
    (after) => (state.phase === 'handing' && !state.handing ? handInAgain(after) : ask(after, { do: 'refresh' })),
  );
}

/** The browser says that the network is gone. */
export function offline(state: ExamState): Step {
  return inTurn(state, (before) => set(before, { online: false }), retryWhileOffline);
}
