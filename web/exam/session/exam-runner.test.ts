import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Paper, RecordSnapshot } from '../paper.ts';
import type { UnsentAnswer } from './answers-state.ts';
import { keptCount, unkeptCount } from './exam-model.ts';
import type { Exam, runExam as Run } from './exam-runner.ts';
import { keptMarks } from './kept-marks.ts';
import { recallPlace } from './place.ts';
import { openExam } from './snapshot.ts';
import { memoryStore, type UnsentStore } from './unsent.ts';

vi.mock('#ui/toast.ts', () => ({ toast: () => undefined, examToast: {} }));

const paper: Paper = {
  recordId: 9,
  sections: [],
  cases: [],
  questions: [11, 12, 13].map((questionId) => ({
    questionId,
    questionTypesId: 2,
    topic: '',
    options: { A: '甲', B: '乙' },
    score: 1,
    chapterId: 1,
    parentCaseStudyId: null,
    showAnswerFlag: 0,
  })),
};
const snapshot: RecordSnapshot = {
  recordId: 9,
  examId: 3,
  examName: '模拟一',
  kind: 'mock',
  packId: 1,
  courseId: null,
  chapterId: null,
  examMode: 1,
  questionMode: 1,
  testType: 0,
  examTime: 60,
  totalQuestion: 3,
  totalScore: 3,
  paperVersion: 4,
  examType: 1,
  startedAt: 0,
  endsAt: 3_600_000,
  submittedAt: null,
  extraTime: 0,
  accommodation: 0,
  extraReason: '',
  now: 1,
  remaining: 3_599_999,
  mayReveal: false,
  ownsWindow: true,
  lastSeq: 0,
  savedAt: null,
  place: null,
  totalTime: 0,
  answers: [],
};

/** A request that left the window, and how the server answers it. */
interface Request {
  path: string;
  body: { answer?: string; answers?: UnsentAnswer[]; seq?: number };
  keepalive: boolean;
  reply(code: number, data: object): Promise<void>;
}
let requests: Request[] = [];
/** What happened, in order. */
let log: string[] = [];
const of = (path: string) => requests.filter((request) => request.path.includes(path));
const settle = () => vi.advanceTimersByTimeAsync(0);
const reported = vi.fn();

class Page extends EventTarget {
  visibilityState = 'visible';
  readonly location = { href: 'http://x/exam/3?record=9', protocol: 'http:', host: 'x' };
  readonly history = { state: null, replaceState: vi.fn() };
  readonly stored = new Map<string, string>();
  readonly localStorage = {
    getItem: (name: string) => this.stored.get(name) ?? null,
    setItem: (name: string, value: string) => void this.stored.set(name, value),
    removeItem: (name: string) => void this.stored.delete(name),
  };
}
class Socket extends EventTarget {
  static readonly OPEN = 1;
  readyState = 1;
  close(): void {
    this.readyState = 3;
  }
}
let page: Page;
let runExam: typeof Run;
let led: string[] = [];

function sit(store: UnsentStore = memoryStore(), record = snapshot): Exam {
  const opening = openExam(paper, record, [], { index: 0, autoAdvance: false, online: true });
  const exam = runExam(opening, store, 'window-1', {
    toResult: (_recordId, result) => led.push(`result ${result?.late.join() ?? 'of another window'}`),
    toExamCenter: (packId) => led.push(`exam center of ${packId}`),
  });
  exam.start();
  return exam;
}
const choose = (exam: Exam, letter: string, now = 5000) => exam.dispatch({ type: 'chosen', letter, now });
const handed = (late: number[] = []) => ({ recordId: 9, late });

beforeEach(async () => {
  vi.useFakeTimers();
  requests = [];
  log = [];
  led = [];
  page = new Page();
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', page);
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('BroadcastChannel', undefined);
  vi.stubGlobal('reportError', reported.mockReset());
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    log.push(path.replace(/\?.*/, ''));
    return new Promise((done, fail) => {
      init.signal?.addEventListener('abort', () => fail(new Error('aborted')));
      requests.push({
        path,
        body: init.body ? JSON.parse(String(init.body)) : {},
        keepalive: init.keepalive ?? false,
        reply: async (code, data) => {
          done(new Response(JSON.stringify({ code, msg: '', data })));
          await settle();
        },
      });
    });
  });
  ({ runExam } = await import('./exam-runner.ts'));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('an answer is on this browser’s disk before it leaves, and is forgotten once the server has it', async () => {
  const store = memoryStore();
  let written: (value?: unknown) => void = () => undefined;
  const exam = sit({
    ...store,
    put: (answer) => new Promise((done) => (written = done)).then(() => store.put(answer)),
  });
  choose(exam, 'B');
  exam.dispatch({ type: 'left' });
  await settle();
  expect(of('save_question')).toEqual([]);
  written();
  await settle();
  expect(of('save_question').map(({ body }) => body.answer)).toEqual(['B']);
  await store.put({ questionId: 11, answer: 'B', seq: 5000 });
  await of('save_question')[0]?.reply(200, { savedAt: 1, seq: 5000, stale: false });
  expect(exam.getState().savedAt).toBe(1);
  expect(await store.all()).toEqual([]);
  exam.stop();
});

/** A store that counts what is asked of it, as letters with numbers of questions. */
function counting(): UnsentStore & { writes: string[] } {
  const store = memoryStore();
  const writes: string[] = [];
  return {
    ...store,
    writes,
    put: (answer) => {
      writes.push(`put ${answer.questionId} ${answer.answer}`);
      return store.put(answer);
    },
    remove: (answer) => {
      writes.push(`remove ${answer.questionId}`);
      return store.remove(answer);
    },
  };
}

it('a change is put on the disk once and taken off once: saved, retried, handed in', async () => {
  const store = counting();
  const exam = sit(store);
  choose(exam, 'B');
  exam.dispatch({ type: 'left' });
  await settle();
  await of('save_question')[0]?.reply(500, { why: 'broken' });
  await vi.advanceTimersByTimeAsync(2000);
  expect(of('save_question')).toHaveLength(2);
  expect(store.writes).toEqual(['put 11 B']);
  await of('save_question')[1]?.reply(200, { savedAt: 1, seq: 5000, stale: false });
  expect(store.writes).toEqual(['put 11 B', 'remove 11']);
  exam.dispatch({ type: 'go', to: 1 });
  choose(exam, 'A', 6000);
  exam.dispatch({ type: 'submit' });
  await of('submit')[0]?.reply(200, handed());
  expect(led).toEqual(['result ']);
  expect(store.writes).toEqual(['put 11 B', 'remove 11', 'put 12 A', 'remove 12']);
  exam.stop();
});

it('what another window left unsent is put on the disk once more, as this window’s, and what is out of date is taken off', async () => {
  const store = counting();
  const stored = {
    ...snapshot,
    lastSeq: 40,
    answers: [
      {
        questionId: 12,
        answer: 'A',
        seq: 40,
        flag: 0,
        guess: 0,
        showAnswerFlag: 0,
        state: 0,
        isSubmit: 0,
        myScore: null,
        judgeFlag: null,
      },
    ],
  };
  const local = [
    { questionId: 11, answer: 'B', seq: 50 },
    { questionId: 12, answer: 'B', seq: 30 },
  ];
  const opening = openExam(paper, stored, local, { index: 0, autoAdvance: false, online: true });
  const exam = runExam(opening, store, 'window-2', { toResult: () => undefined, toExamCenter: () => undefined });
  exam.start();
  await settle();
  expect(of('save_question').map(({ body }) => body.seq)).toEqual([50]);
  expect(store.writes.sort()).toEqual(['put 11 B', 'remove 12']);
  exam.stop();
});

it('a store that hangs holds nothing up for more than a second', async () => {
  const never = () => new Promise<never>(() => undefined);
  const exam = sit({ put: never, remove: never, all: never, clear: never });
  choose(exam, 'B');
  exam.dispatch({ type: 'left' });
  await vi.advanceTimersByTimeAsync(1000);
  expect(of('save_question').map(({ body }) => body.answer)).toEqual(['B']);
  exam.dispatch({ type: 'submit' });
  await of('submit')[0]?.reply(200, handed());
  await vi.advanceTimersByTimeAsync(1000);
  expect(led).toEqual(['result ']);
  const restart = vi.fn();
  void exam.closeForRestart().then(restart);
  await of('submit')[1]?.reply(200, handed());
  await vi.advanceTimersByTimeAsync(1000);
  expect(restart).toHaveBeenCalled();
  exam.stop();
});

it('a store that fails stops nothing', async () => {
  const no = () => Promise.reject(new Error('disk full'));
  const exam = sit({ put: no, remove: no, all: no, clear: no });
  choose(exam, 'B');
  exam.dispatch({ type: 'submit' });
  await of('submit')[0]?.reply(200, handed([11]));
  expect(led).toEqual(['result 11']);
  exam.stop();
});

/** Whether the browser would ask before it closes the page. */
function asksBeforeClosing(): boolean {
  const closing = new Event('beforeunload', { cancelable: true });
  page.dispatchEvent(closing);
  return closing.defaultPrevented;
}

it('what the disk did not take holds the page, is tried again, and lets it go once it is there', async () => {
  const store = counting();
  let full = true;
  const exam = sit({ ...store, put: async (answer) => !(await store.put(answer)) && !full });
  page.dispatchEvent(new Event('offline'));
  expect(asksBeforeClosing()).toBe(false);
  choose(exam, 'B');
  await settle();
  expect([unkeptCount(exam.getState()), asksBeforeClosing()]).toEqual([1, true]);
  full = false;
  await vi.advanceTimersByTimeAsync(5000);
  expect(store.writes).toEqual(['put 11 B', 'put 11 B']);
  expect([keptCount(exam.getState()), asksBeforeClosing()]).toEqual([1, false]);
  exam.stop();
});

it('also after the screen was left, until the server has it', async () => {
  const exam = sit();
  page.dispatchEvent(new Event('offline'));
  choose(exam, 'B');
  exam.stop();
  await settle();
  expect(asksBeforeClosing()).toBe(true);
  page.dispatchEvent(new Event('online'));
  await settle();
  await of('save_question')[0]?.reply(200, { savedAt: 1, seq: 5000, stale: false });
  expect(asksBeforeClosing()).toBe(false);
});

it('a hand-in elsewhere leaves what was kept nowhere else for the result page to name', async () => {
  const store = memoryStore();
  const exam = sit(store);
  page.dispatchEvent(new Event('offline'));
  choose(exam, 'B');
  await settle();
  exam.dispatch({ type: 'submitted', result: null });
  exam.stop();
  await settle();
  expect(await store.all()).toMatchObject([{ questionId: 11, answer: 'B' }]);
});

it('a mark that did not arrive is kept in this browser, until the server has it', async () => {
  const exam = sit();
  exam.dispatch({ type: 'marked', mark: 'flag' });
  exam.dispatch({ type: 'marked', mark: 'flag', questionId: 12 });
  choose(exam, 'A');
  exam.dispatch({ type: 'marked', mark: 'guess' });
  const kept = () => Object.values(keptMarks(9)).map((marks) => [...marks.keys()].sort());
  expect(kept()).toEqual([[11, 12], [11]]);
  await of('flag')[0]?.reply(200, { flag: 1 });
  expect(kept()).toEqual([[12], [11]]);
  await of('guess')[0]?.reply(200, { guess: 1 });
  expect(kept()).toEqual([[12], []]);
  exam.stop();
});

it('an effect that throws keeps neither the others nor the next events from happening', async () => {
  const exam = sit();
  exam.subscribe(() => {
    throw new Error('a listener');
  });
  page.history.replaceState.mockImplementation(() => {
    throw new Error('too many changes of the address');
  });
  exam.dispatch({ type: 'go', to: 1 });
  choose(exam, 'B');
  exam.dispatch({ type: 'left' });
  await settle();
  expect(exam.getState().answers.shown.get(12)).toBe('B');
  expect(of('save_question')).toHaveLength(1);
  expect(reported).toHaveBeenCalled();
  page.history.replaceState.mockReset();
  await vi.advanceTimersByTimeAsync(3000);
  const last = page.history.replaceState.mock.lastCall?.[2] as URL | undefined;
  expect(last?.searchParams.get('q'), 'the address follows later').toBe('2');
  exam.stop();
});

it('what is sent while the page is hidden or leaving may outlive it', async () => {
  const exam = sit();
  choose(exam, 'A');
  exam.dispatch({ type: 'left' });
  exam.dispatch({ type: 'go', to: 1 });
  choose(exam, 'B', 6000);
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect(of('save_question').map(({ body, keepalive }) => [body.answer, keepalive])).toEqual([
    ['A', true],
    ['B', true],
  ]);
  page.visibilityState = 'visible';
  choose(exam, 'A', 7000);
  page.dispatchEvent(new Event('pagehide'));
  await of('save_question')[1]?.reply(200, { savedAt: 1, seq: 6000, stale: false });
  expect(of('save_question').map(({ keepalive }) => keepalive)).toEqual([true, true, false]);
  exam.stop();
});

it('closing for another try hands in what is unsent and forgets it', async () => {
  const store = memoryStore();
  const exam = sit(store);
  choose(exam, 'B');
  const closed = exam.closeForRestart();
  expect(of('submit')[0]?.body.answers).toEqual([{ questionId: 11, answer: 'B', seq: 5000 }]);
  await settle();
  expect(await store.all()).toHaveLength(1);
  await of('submit')[0]?.reply(200, handed());
  await closed;
  expect(await store.all()).toEqual([]);
  exam.stop();
});

it('a refused close is told, and nothing is forgotten', async () => {
  const store = memoryStore();
  const exam = sit(store);
  choose(exam, 'B');
  const closed = expect(exam.closeForRestart()).rejects.toMatchObject({ why: 'busy' });
  await of('submit')[0]?.reply(503, { why: 'busy' });
  await closed;
  expect(await store.all()).toHaveLength(1);
  exam.stop();
});

it('after the screen is left only what was unsent then is sent, until the server has it', async () => {
  const exam = sit();
  choose(exam, 'B');
  exam.stop();
  await settle();
  expect(of('save_question')).toHaveLength(1);
  await of('save_question')[0]?.reply(500, { why: 'broken' });
  await vi.advanceTimersByTimeAsync(1500);
  await of('save_question')[1]?.reply(200, { savedAt: 1, seq: 5000, stale: false });
  page.dispatchEvent(new Event('online'));
  page.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(120_000);
  expect(await exam.refresh()).toBe(false);
  expect(log).toEqual(['/api/exam/save_question', '/api/exam/save_question']);
});

it('what is unsent when the screen is left without a network is sent once it is back', async () => {
  const store = memoryStore();
  const exam = sit(store);
  page.dispatchEvent(new Event('offline'));
  choose(exam, 'B');
  exam.stop();
  await settle();
  expect(of('save_question')).toEqual([]);
  page.dispatchEvent(new Event('online'));
  await settle();
  await of('save_question')[0]?.reply(200, { savedAt: 1, seq: 5000, stale: false });
  expect(await store.all()).toEqual([]);
  page.dispatchEvent(new Event('offline'));
  page.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(120_000);
  expect(log).toEqual(['/api/exam/save_question']);
});

it('also without the browser saying that it is back, and signed out it asks nobody to sign in', async () => {
  const exam = sit();
  page.dispatchEvent(new Event('offline'));
  choose(exam, 'B');
  exam.stop();
  await vi.advanceTimersByTimeAsync(20_000);
  await of('save_question')[0]?.reply(401, { why: 'notSignedIn' });
  await vi.advanceTimersByTimeAsync(20_000);
  await of('save_question')[1]?.reply(409, { why: 'takenOver' });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(of('save_question')).toHaveLength(2);
});

it('a hand-in that was confirmed without a network is brought to its end after leaving', async () => {
  const exam = sit();
  page.dispatchEvent(new Event('offline'));
  choose(exam, 'B');
  exam.dispatch({ type: 'submit' });
  await of('submit')[0]?.reply(503, { why: 'busy' });
  exam.stop();
  page.dispatchEvent(new Event('online'));
  await settle();
  expect(of('submit')[1]?.body.answers?.map(({ answer }) => answer)).toEqual(['B']);
  await of('submit')[1]?.reply(200, handed());
  await vi.advanceTimersByTimeAsync(120_000);
  expect([of('submit').length, led]).toEqual([2, []]);
});

it('what comes too late after leaving stays where the result page finds it', async () => {
  const store = memoryStore();
  const exam = sit(store);
  page.dispatchEvent(new Event('offline'));
  choose(exam, 'B');
  exam.stop();
  page.dispatchEvent(new Event('online'));
  await settle();
  await of('save_question')[0]?.reply(422, { why: 'tooLate' });
  await of('submit')[0]?.reply(200, handed([11]));
  await settle();
  expect((await store.all()).map(({ questionId }) => questionId)).toEqual([11]);
});

it('opened again here, the screen that was left ends', async () => {
  const before = sit();
  page.dispatchEvent(new Event('offline'));
  choose(before, 'B');
  before.stop();
  const again = sit();
  page.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(of('save_question')).toEqual([]);
  again.stop();
});

it('says how much is unsent once nothing is on its way, and waits no longer than it was told', async () => {
  const exam = sit();
  expect(await exam.unsentAfter(1000)).toBe(0);
  choose(exam, 'B');
  exam.dispatch({ type: 'left' });
  const soon = exam.unsentAfter(1000);
  await settle();
  await of('save_question')[0]?.reply(200, { savedAt: 1, seq: 5000, stale: false });
  await vi.advanceTimersByTimeAsync(100);
  expect(await soon).toBe(0);
  choose(exam, 'A', 6000);
  exam.dispatch({ type: 'left' });
  const never = exam.unsentAfter(1000);
  await vi.advanceTimersByTimeAsync(1100);
  expect(await never).toBe(1);
  exam.stop();
});

it('a hand-in under way when the screen is left is not repeated, and leads nowhere', async () => {
  const exam = sit();
  choose(exam, 'B');
  exam.dispatch({ type: 'submit' });
  exam.stop();
  await of('submit')[0]?.reply(200, handed());
  await vi.advanceTimersByTimeAsync(120_000);
  expect(of('submit')).toHaveLength(1);
  expect(led).toEqual([]);
});

it('what the server refused of a hand-in stays in the store for the result page', async () => {
  const store = memoryStore();
  const exam = sit(store);
  exam.dispatch({ type: 'offline' });
  choose(exam, 'A');
  exam.dispatch({ type: 'go', to: 1 });
  choose(exam, 'B', 6000);
  exam.dispatch({ type: 'tick', left: 0 });
  await of('submit')[0]?.reply(400, { why: 'badInput', field: 'answers.1.seq', at: 1 });
  expect(of('submit')[1]?.body.answers?.map(({ questionId }) => questionId)).toEqual([11]);
  await of('submit')[1]?.reply(200, handed());
  expect(led).toEqual(['result ']);
  expect((await store.all()).map(({ questionId }) => questionId)).toEqual([12]);
  exam.stop();
});

it('asks what the server holds once at a time, and says whether it answered', async () => {
  const exam = sit();
  const [first, second] = [exam.refresh(), exam.refresh()];
  expect(of('cache')).toHaveLength(1);
  await of('cache')[0]?.reply(200, { ...snapshot, ownsWindow: false });
  expect(await Promise.all([first, second])).toEqual([true, true]);
  expect(exam.getState().phase).toBe('takenOver');
  const third = exam.refresh();
  await of('cache')[1]?.reply(401, { why: 'notSignedIn' });
  expect(await third).toBe(false);
  exam.stop();
});

it('where the screen is left is remembered, also when the page only hides, and forgotten with the hand-in', async () => {
  const exam = sit();
  exam.dispatch({ type: 'go', to: 2 });
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(recallPlace(9)).toEqual({ recordId: 9, questionId: 13, seq: 0, spent: 0 });
  exam.dispatch({ type: 'go', to: 1 });
  choose(exam, 'B');
  exam.stop();
  expect(recallPlace(9)).toEqual({ recordId: 9, questionId: 12, seq: 5000, spent: 0 });
  const again = sit();
  again.dispatch({ type: 'go', to: 2 });
  again.dispatch({ type: 'takenOver' });
  page.dispatchEvent(new Event('pagehide'));
  expect(recallPlace(9)?.questionId, 'a read-only window is no place').toBe(12);
  again.dispatch({ type: 'submitted', result: null });
  again.stop();
  expect(recallPlace(9)).toBeNull();
});

/** The page goes out of sight, or comes back. */
function inSight(visible: boolean): void {
  page.visibilityState = visible ? 'visible' : 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
}

it('what was read without answering counts, while its page is in sight, and is told when it is left', async () => {
  const exam = sit();
  await vi.advanceTimersByTimeAsync(38_000);
  expect(exam.spent()).toBe(38);
  inSight(false);
  expect(of('time_spent').map(({ body, keepalive }) => ({ ...body, keepalive }))).toEqual([
    { recordId: 9, windowId: 'window-1', totalTime: 38, questionId: 11, seq: 0, keepalive: true },
  ]);
  await vi.advanceTimersByTimeAsync(600_000);
  inSight(true);
  await vi.advanceTimersByTimeAsync(2000);
  expect(exam.spent(), 'out of sight nothing counts').toBe(40);
  exam.stop();
  expect(of('time_spent').map(({ body }) => 'totalTime' in body && body.totalTime)).toEqual([38, 40]);
});

it('without a limit the server is told each minute, since another device may go on while this window stands open', async () => {
  const told = () => of('time_spent').map(({ body }) => 'totalTime' in body && body.totalTime);
  sit(memoryStore(), { ...snapshot, examTime: null, endsAt: null });
  await vi.advanceTimersByTimeAsync(59_000);
  expect(told()).toEqual([]);
  await vi.advanceTimersByTimeAsync(62_000);
  expect(told()).toEqual([60, 120]);
});

it('with a limit it is not: there the clock runs from the start', async () => {
  sit();
  await vi.advanceTimersByTimeAsync(121_000);
  expect(of('time_spent')).toEqual([]);
});

it('without a network the time stays in this browser, and a crash loses seconds', async () => {
  const first = sit();
  await vi.advanceTimersByTimeAsync(50_000);
  // Nothing is said any more: the browser is gone.
  const again = sit();
  expect(again.spent()).toBe(45);
  again.stop();
  first.stop();
});

it('a window that waits for another one counts nothing, and goes on from what that one counted', async () => {
  const exam = sit();
  await vi.advanceTimersByTimeAsync(10_000);
  exam.dispatch({ type: 'takenOver' });
  await vi.advanceTimersByTimeAsync(90_000);
  expect(exam.spent()).toBe(10);
  exam.dispatch({ type: 'tookOver', snapshot: { ...snapshot, totalTime: 70 }, asked: 0 });
  await vi.advanceTimersByTimeAsync(5000);
  expect(exam.spent()).toBe(75);
  exam.stop();
});

it('keys that were on their way when a scored exam began in another window are not shown, but asked for anew', async () => {
  let began: () => void = () => undefined;
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      addEventListener = (_: string, heard: () => void) => (began = heard);
      postMessage = () => undefined;
      close = () => undefined;
    },
  );
  const practice = { ...snapshot, mayReveal: true };
  const opening = openExam(paper, practice, [], { index: 0, autoAdvance: false, online: true });
  const exam = runExam(opening, memoryStore(), 'window-1', {
    toResult: () => undefined,
    toExamCenter: () => undefined,
  });
  exam.start();
  const keyed = paper.questions.map((question) => ({ ...question, rightAnswer: 'A', answerAnalysis: '', points: [] }));
  exam.dispatch({ type: 'mode', questionMode: 2 });
  began();
  await of('recite')[0]?.reply(200, { questions: keyed, hidden: [] });
  expect([exam.getState().keys.size, exam.getState().recite]).toEqual([0, 'asking']);
  await of('recite')[1]?.reply(200, { questions: keyed.slice(1), hidden: [11] });
  expect([[...exam.getState().keys.keys()], [...exam.getState().hidden]]).toEqual([[12, 13], [11]]);

  exam.dispatch({ type: 'mode', questionMode: 1 });
  exam.dispatch({ type: 'show' });
  await settle();
  began();
  await of('show_answer')[0]?.reply(200, { question: keyed[0], state: 2 });
  expect(exam.getState().keys.has(11)).toBe(false);
  // One asked for as the other exam began, one after it.
  const shown = { ...snapshot.answers[0], questionId: 11, answer: '', seq: 1, showAnswerFlag: 1, state: 0 };
  for (const at of [0, 1]) await of('/api/exam/cache')[at]?.reply(200, { ...practice, answers: [shown] });
  await of('show_answer').at(-1)?.reply(400, { why: 'keyHidden' });
  const state = exam.getState();
  expect([of('show_answer').length, state.keys.has(11), state.hidden.has(11), state.showing.size]).toEqual([
    2,
    false,
    true,
    0,
  ]);
  exam.stop();
});
