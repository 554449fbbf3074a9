import { examToast, toast } from '#ui/toast.ts';
import { onExamBegan } from '#web/lib/exam-began.ts';
import { remember } from '#web/lib/remember.ts';
import { send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import type { HandInReply } from '../paper.ts';
import { answerDisk } from './answer-disk.ts';
import { enclosed, type UnsentAnswer } from './answers-state.ts';
import {
  currentQuestion,
  type ExamEvent,
  type ExamRequest,
  type ShownRecord,
  unkeptCount,
  unsentCount,
} from './exam-model.ts';
import { stepExam } from './exam-state.ts';
import { failureOf } from './failure.ts';
import { keepMarks } from './kept-marks.ts';
import type { MarkChange } from './marks-state.ts';
import { forgetPlace, recallPlace, rememberPlace } from './place.ts';
import { questionAddress } from './question-address.ts';
import { sendMark } from './send-mark.ts';
import type { Step } from './step.ts';
import { stopwatch } from './stopwatch.ts';
import type { UnsentStore } from './unsent.ts';
import { type Watch, watchRecord } from './watch.ts';

export const AUTO_ADVANCE = 'exam.autoAdvance';
export const SHOW_AT_ONCE = 'exam.showAtOnce';

/** Milliseconds after which a save without an answer counts as failed. */
const SAVE_TIMEOUT = 12_000;

/** Milliseconds after which this browser notes where one is and what was spent: so much a crash loses at most. */
const NOTE_EVERY = 15_000;
/** Seconds without a limit after which the server is told, for another device that goes on while this window still stands open. */
const TELL_EVERY = 60;

/** What still sends the answers of records whose screen was left, by record; called, it ends. */
const afterLeaving = new Map<number, () => void>();

/** One effect that fails must not keep the others, or the next event, from happening: the browser reports it. */
function attempt(effect: () => void): void {
  try {
    effect();
  } catch (error) {
    reportError(error);
  }
}

/** Where the exam leads out of its screen. `result` is null when the hand-in happened elsewhere. */
export interface Leaving {
  toResult(recordId: number, result: HandInReply | null): void;
  toExamCenter(packId: number): void;
}

/** One open record in this window: its state, and what carries out what the state asks for. */
export interface Exam extends ShownRecord {
  /** Seconds spent on this record with its page in sight, all visits together. */
  readonly spent: () => number;
  readonly takeOver: () => Promise<void>;
  /**
   * 重新开始: hands this record in with whatever is unsent, so that the next start makes a new one. The screen has to
   * be left then. Throws CallError.
   */
  readonly closeForRestart: () => Promise<void>;
  /** Asks the server what it holds, at most one question at a time. Resolves to whether it answered. */
  readonly refresh: () => Promise<boolean>;
  /** How many answers the server has not acknowledged, once none is on its way any more or `ms` have passed. */
  readonly unsentAfter: (ms: number) => Promise<number>;
  readonly start: () => void;
  /**
   * The screen is left. What is unsent goes on being sent from wherever the student is on this site (decisions §3), until
   * the server has it, another window has the paper, or it is opened again here.
   */
  readonly stop: () => void;
}

/** Runs a record from its opening step. Nothing happens before `start`; `stop` ends all but the sending of what is unsent. */
export function runExam(opening: Step, store: UnsentStore, windowId: string, leaving: Leaving): Exam {
  let state = opening.state;
  let firstRequests = opening.requests;
  const disk = answerDisk(store, ({ questionId, seq }, kept) => dispatch({ type: 'kept', questionId, seq, kept }));
  const { recordId, examId, paperVersion } = state.record;
  const listeners = new Set<() => void>();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const watchOfTime = stopwatch(Math.max(state.record.totalTime, recallPlace(recordId)?.spent ?? 0), () =>
    performance.now(),
  );
  /** Seconds that the server knows of, and the question; it opened at one that is known. */
  let told = state.record.totalTime;
  let toldAt = currentQuestion(state)?.questionId;
  let noting: ReturnType<typeof setInterval> | undefined;
  let watch: Watch | null = null;
  let unhear: (() => void) | undefined;
  /** Scored exams that began in other windows meanwhile: keys that were on their way then may be withheld now, and are asked for anew. */
  let begun = 0;
  let running = false;
  let refreshing: Promise<boolean> | null = null;
  let handed: HandInReply | null = null;
  let lateAfterLeaving: ReadonlySet<number> = new Set();
  const address = questionAddress();

  const { spent } = watchOfTime;
  /** Time counts while the paper is this window's and its page is in sight, whatever is done there (067). */
  const runTime = () =>
    watchOfTime.run(
      running &&
        (state.phase === 'open' || state.phase === 'handing') &&
        !state.over &&
        document.visibilityState === 'visible',
    );
  /** What was counted, and where, goes to the server when the page is left: it may be closed, or gone on with on another device. */
  const tellTime = () => {
    const totalTime = spent();
    const questionId = currentQuestion(state)?.questionId;
    if (state.phase !== 'open' || (totalTime <= told && questionId === toldAt)) return;
    told = totalTime;
    toldAt = questionId;
    // Untold it stays in this browser (`notePlace`).
    const { seq } = state.answers;
    send(
      'POST /app/exam/time_spent',
      { recordId, windowId, totalTime, questionId, seq },
      { keepalive: true, signInAgain: false },
    ).catch(() => undefined);
  };

  const queue: ExamEvent[] = [];
  let busy = false;
  const dispatch = (event: ExamEvent) => {
    queue.push(event);
    if (busy) return;
    busy = true;
    for (let next = queue.shift(); next; next = queue.shift()) {
      const step = stepExam(state, next);
      if (next.type === 'autoAdvance') remember(AUTO_ADVANCE, next.on ? null : 'off');
      if (next.type === 'showAtOnce') remember(SHOW_AT_ONCE, next.on ? 'on' : null);
      if (step.state !== state) {
        keepMarks(recordId, state.marksUnsent, step.state.marksUnsent);
        if (state.record !== step.state.record) watchOfTime.atLeast(step.state.record.totalTime);
        const turned = state.phase !== step.state.phase || state.over !== step.state.over;
        state = step.state;
        if (turned) runTime();
        holdPage(unkeptCount(state) > 0);
        for (const listener of listeners) attempt(listener);
      }
      for (const request of step.requests) attempt(() => carryOut(request));
    }
    busy = false;
    if (left && !sendsOn()) rest();
  };

  // While answers live in this page alone, the browser asks before it closes.
  const hold = (event: Event) => event.preventDefault();
  let holding = false;
  const holdPage = (on: boolean) => {
    if (on === holding) return;
    holding = on;
    if (on) window.addEventListener('beforeunload', hold);
    else window.removeEventListener('beforeunload', hold);
  };

  let left = false;
  // A hand-in that was confirmed is brought to its end, with nothing unsent too.
  const sendsOn = () => state.phase === 'handing' || (state.phase === 'open' && unsentCount(state) > 0);
  /** Ends what goes on after the screen was left. */
  const rest = () => {
    window.removeEventListener('online', online);
    window.removeEventListener('offline', offline);
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    holdPage(false);
    if (afterLeaving.get(recordId) === rest) afterLeaving.delete(recordId);
  };

  const carryOut = (request: ExamRequest): void => {
    switch (request.do) {
      case 'keep':
        disk.put(request.unsent);
        return;
      case 'forget':
        if (!lateAfterLeaving.has(request.unsent.questionId)) void disk.remove(request.unsent);
        return;
      case 'save':
        void save(request.unsent);
        return;
      case 'mark':
        void mark(request);
        return;
      case 'wait': {
        const timer = setTimeout(() => {
          timers.delete(timer);
          dispatch(request.event);
        }, request.ms);
        timers.add(timer);
        return;
      }
      case 'toast':
        // On another page nobody knows what it is about; what came too late is named on the result page.
        if (running) toast(t(request.text), 'plain', examToast);
        return;
      case 'submit':
        void submit(request.answers, request.extraTime);
        return;
      case 'goto':
        // A late answer must not lead a person away who has gone elsewhere.
        if (!running) return;
        if (request.to === 'result') leaving.toResult(recordId, handed);
        else leaving.toExamCenter(state.record.packId);
        return;
      case 'address':
        if (running) address.put(request.index);
        return;
      case 'show':
        void show(request.questionId);
        return;
      case 'recite':
        void recite();
        return;
      case 'refresh':
        void refresh();
    }
  };

  const save = async (sent: UnsentAnswer) => {
    // On this browser's disk before it leaves, whatever becomes of the request.
    await disk.stored(sent);
    try {
      const { savedAt, seq, stale, extraTime } = await send(
        'POST /api/exam/save_question',
        {
          examId,
          recordId,
          questionId: sent.questionId,
          answer: sent.answer,
          paperVersion,
          seq: sent.seq,
          totalTime: spent(),
          windowId,
        },
        { timeout: SAVE_TIMEOUT, keepalive: document.visibilityState === 'hidden', signInAgain: running },
      );
      dispatch({ type: 'saved', sent, savedAt, seq, stale, extraTime });
    } catch (error) {
      dispatch({ type: 'saveFailed', sent, failure: failureOf(error), jitter: Math.random() });
    }
  };

  const mark = async (change: MarkChange) => {
    try {
      await sendMark({ recordId, examId, windowId }, change);
      dispatch({ type: 'markSaved', change });
    } catch (error) {
      dispatch({ type: 'markFailed', change, failure: failureOf(error) });
    }
  };

  const submit = async (answers: readonly UnsentAnswer[], extraTime: number | undefined) => {
    try {
      handed = await send(
        'POST /api/exam/submit',
        { examId, recordId, windowId, paperVersion, totalTime: spent(), answers: [...answers], extraTime },
        { timeout: 30_000 },
      );
      // What stays in the store after this is named on the result page: it was not handed in. On the screen the result
      // page is told what came too late; after leaving it only finds that in the store.
      if (!running) lateAfterLeaving = new Set(handed.late);
      const settled = answers.filter(({ questionId }) => !lateAfterLeaving.has(questionId));
      await Promise.all(settled.map((answer) => disk.remove(answer)));
      watch?.tell('submitted');
      dispatch({ type: 'submitted', result: handed });
    } catch (error) {
      dispatch({ type: 'submitFailed', sent: answers, failure: failureOf(error), jitter: Math.random() });
    }
  };

  const show = async (questionId: number): Promise<void> => {
    const before = begun;
    try {
      const { question, state: came } = await send('POST /app/exam/show_answer', { recordId, questionId, windowId });
      if (begun !== before) {
        // The answer is final by now, which the screen has to know when its key is refused.
        await askAnew();
        return show(questionId);
      }
      dispatch({ type: 'shown', question, state: came });
    } catch (error) {
      dispatch({ type: 'showFailed', questionId, failure: failureOf(error) });
    }
  };

  /** `unasked`: the student did not ask for it, so where no answer comes all stays as it is. */
  const recite = async ({ unasked = false } = {}): Promise<void> => {
    const before = begun;
    try {
      const { questions, hidden } = await send('GET /app/exam/recite', { recordId }, { signInAgain: !unasked });
      if (begun !== before) return recite({ unasked });
      dispatch({ type: 'recited', questions, hidden });
    } catch (error) {
      if (!unasked) dispatch({ type: 'reciteFailed', failure: failureOf(error) });
    }
  };

  const refresh = (): Promise<boolean> => {
    if (!running) return Promise.resolve(false);
    if (refreshing) return refreshing;
    const asked = state.confirmed;
    // The student did not ask for this, so it opens no sign-in dialog: a save that fails for the same reason does.
    refreshing = send('GET /api/exam/cache', { recordId, windowId }, { signInAgain: false }).then(
      (snapshot) => {
        // First: what was heard may be a reason to ask again.
        refreshing = null;
        dispatch({ type: 'refreshed', snapshot, asked });
        return true;
      },
      () => {
        refreshing = null;
        return false;
      },
    );
    return refreshing;
  };

  // An answer that was on its way may be from before.
  const askAnew = async () => {
    await refreshing;
    await refresh();
  };

  const takeOver = async () => {
    try {
      await send('POST /app/exam/take_over', { recordId, windowId });
      watch?.tell('takenOver');
      const asked = state.confirmed;
      const snapshot = await send('GET /api/exam/cache', { recordId, windowId });
      dispatch({ type: 'tookOver', snapshot, asked });
    } catch (error) {
      const { why, msg } = failureOf(error);
      if (why === 'alreadySubmitted') dispatch({ type: 'submitted', result: null });
      else toast(msg, 'bad', examToast);
    }
  };

  const online = () => dispatch({ type: 'online' });
  const offline = () => dispatch({ type: 'offline' });
  const visible = () => {
    runTime();
    if (document.visibilityState !== 'visible') return hide();
    void refresh();
    // On another device a scored exam may have begun that has these questions.
    if (state.questionMode === 2) void recite({ unasked: true });
  };
  const hide = () => {
    dispatch({ type: 'left' });
    notePlace();
    tellTime();
  };
  /** 继续 comes back to where the screen was left. A read-only window is not where the student was last. */
  const notePlace = () => {
    const questionId = currentQuestion(state)?.questionId;
    if (state.phase === 'closed') forgetPlace(recordId);
    else if (state.phase !== 'takenOver' && questionId !== undefined) {
      rememberPlace({ recordId, questionId, seq: state.answers.seq, spent: spent() });
    }
  };

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispatch,
    spent,
    takeOver,
    refresh,
    async unsentAfter(ms) {
      const until = performance.now() + ms;
      const onItsWay = () => state.online && state.failures === 0 && unsentCount(state) > 0;
      while (onItsWay() && performance.now() < until) await new Promise((wake) => setTimeout(wake, 50));
      return unsentCount(state);
    },
    async closeForRestart() {
      const answers = enclosed(state.answers);
      await send('POST /api/exam/submit', { examId, recordId, windowId, paperVersion, totalTime: spent(), answers });
      await disk.clear();
      watch?.tell('submitted');
    },
    start() {
      if (running) return;
      running = true;
      afterLeaving.get(recordId)?.();
      watch = watchRecord(
        recordId,
        windowId,
        (event) => {
          if (event === 'timeGiven') void askAnew();
          else dispatch(event === 'takenOver' ? { type: 'takenOver' } : { type: 'submitted', result: null });
        },
        refresh,
      );
      watch.tell('takenOver');
      unhear = onExamBegan(() => {
        begun += 1;
        dispatch({ type: 'examBegan' });
      });
      window.addEventListener('online', online);
      window.addEventListener('offline', offline);
      window.addEventListener('pagehide', hide);
      document.addEventListener('visibilitychange', visible);
      runTime();
      noting = setInterval(() => {
        notePlace();
        if (state.record.endsAt === null && spent() - told >= TELL_EVERY) tellTime();
      }, NOTE_EVERY);
      for (const request of firstRequests) carryOut(request);
      firstRequests = [];
    },
    stop() {
      if (!running) return;
      hide();
      running = false;
      left = true;
      runTime();
      clearInterval(noting);
      watch?.stop();
      unhear?.();
      window.removeEventListener('pagehide', hide);
      document.removeEventListener('visibilitychange', visible);
      address.stop();
      if (sendsOn()) afterLeaving.set(recordId, rest);
      else rest();
    },
  };
}
