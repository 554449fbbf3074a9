import { describe, expect, it } from 'vitest';
import type { Handed, Held, KeyedQuestion, Paper } from '../paper.ts';
import type { Kept } from './answers-state.ts';
import {
  type ExamEvent,
  type ExamRequest,
  type ExamState,
  type Failure,
  unansweredCount,
  unsentCount,
} from './exam-model.ts';
import { openExam, stepExam } from './exam-state.ts';

const TYPES = [2, 1, 3, 4, 2] as const;
const paper: Paper = {
  recordId: 9,
  sections: [{ title: '全部', questionIds: [11, 12, 13, 14, 15] }],
  questions: TYPES.map((questionTypesId, i) => ({
    questionId: 11 + i,
    questionTypesId,
    topic: `题 ${i}`,
    options: (questionTypesId === 4 ? {} : { A: '甲', B: '乙', C: '丙' }) as Record<string, string>,
    score: 2,
    chapterId: 1,
    parentCaseStudyId: null,
  })),
  cases: [],
};

function held(change: Partial<Held> = {}): Held {
  return {
    recordId: 9,
    examId: 3,
    examName: '模拟一',
    kind: 'mock',
    packId: 1,
    courseId: null,
    chapterId: null,
    examMode: 1,
    testType: 0,
    examTime: 60,
    totalQuestion: 5,
    totalScore: 10,
    examType: 1,
    startedAt: 0,
    endsAt: 3_600_000,
    submittedAt: null,
    now: 1000,
    remaining: 3_599_000,
    mayReveal: false,
    ownsWindow: true,
    lastSeq: 0,
    totalTime: 0,
    answers: [],
    ...change,
  };
}
const answer = (questionId: number, text: string, seq: number, more: Partial<Held['answers'][number]> = {}) => ({
  questionId,
  answer: text,
  seq,
  flag: 0,
  showAnswerFlag: 0,
  state: 0,
  ...more,
});
const keyed = (questionId: number): KeyedQuestion => ({
  questionId,
  questionTypesId: 2,
  topic: '',
  options: {},
  score: 2,
  chapterId: 1,
  parentCaseStudyId: null,
  rightAnswer: 'A',
  answerAnalysis: '因为',
  accuracyRate: null,
});
const handed = { recordId: 9, late: [11] } as unknown as Handed;
const fail = (why: Failure['why'], msg = '不行'): Failure => ({ why, msg });

/** A window on one record: events go in, what it asked for is collected until looked at. */
function sit(change: Partial<Held> = {}, local: readonly Kept[] = [], index = 0) {
  let step = openExam(paper, held(change), local, { index, autoAdvance: true, online: true });
  let asked: ExamRequest[] = step.requests;
  return {
    get state(): ExamState {
      return step.state;
    },
    do(...events: ExamEvent[]) {
      for (const event of events) {
        step = stepExam(step.state, event);
        asked.push(...step.requests);
      }
      return this;
    },
    /** What was asked for since the last look, of one kind. */
    asked<D extends ExamRequest['do']>(kind: D): Extract<ExamRequest, { do: D }>[] {
      const mine = asked.filter((one): one is Extract<ExamRequest, { do: D }> => one.do === kind);
      asked = asked.filter((one) => one.do !== kind);
      return mine;
    },
    toasts(): string[] {
      return this.asked('toast').map(({ text }) => text);
    },
    shown(id: number): string {
      return step.state.answers.shown.get(id) ?? '';
    },
  };
}
const choose = (letter: string, now = 5000): ExamEvent => ({ type: 'chosen', letter, now });
const go = (to: number): ExamEvent => ({ type: 'go', to });
const saved = (sent: Kept, more: Partial<Extract<ExamEvent, { type: 'saved' }>> = {}): ExamEvent => ({
  type: 'saved',
  sent,
  savedAt: 7000,
  seq: sent.seq,
  stale: false,
  ...more,
});
const refusedHandIn = (failure: Failure, sent: readonly Kept[] = []): ExamEvent => ({
  type: 'submitFailed',
  sent,
  failure,
  jitter: 0.5,
});
const broken = (sent: Kept, why: Failure['why'] = 'broken'): ExamEvent => ({
  type: 'saveFailed',
  sent,
  failure: fail(why),
  jitter: 0.5,
});

describe('saving', () => {
  it('keeps a change before anything is sent, and sends it on leaving the question', () => {
    const exam = sit().do(choose('B'));
    expect(exam.asked('keep')).toEqual([{ do: 'keep', kept: { questionId: 11, answer: 'B', seq: 5000 } }]);
    expect(exam.asked('save')).toEqual([]);
    exam.do(go(1));
    expect(exam.asked('save').map(({ kept }) => kept)).toEqual([{ questionId: 11, answer: 'B', seq: 5000 }]);
  });

  it('sends after 800 ms of quiet, and not when the answer changed meanwhile', () => {
    const exam = sit({}, [], 3).do({ type: 'typed', text: '一', now: 1 }, { type: 'typed', text: '一二', now: 2 });
    const waits = exam.asked('wait');
    expect(waits.map(({ ms }) => ms)).toEqual([800, 800]);
    exam.do(waits[0]?.event ?? go(0));
    expect(exam.asked('save')).toEqual([]);
    exam.do(waits[1]?.event ?? go(0));
    expect(exam.asked('save').map(({ kept }) => kept.answer)).toEqual(['一二']);
  });

  it('numbers a change above all that is known, also when the clock is behind', () => {
    const exam = sit({ lastSeq: 9000 }).do(choose('A', 5));
    expect(exam.asked('keep')[0]?.kept.seq).toBe(9001);
  });

  it('does not save what is not changed or is empty', () => {
    const exam = sit({ answers: [answer(11, 'A', 3)] }).do(choose('A'), go(1), go(2), choose('A'), choose('A'), go(3));
    expect(exam.asked('save')).toEqual([]);
    expect(unsentCount(exam.state)).toBe(0);
  });

  it('forgets a kept change that went back to what is saved', () => {
    const exam = sit({ answers: [answer(11, 'A', 3)] }).do(choose('B'), choose('A'), go(1));
    expect(exam.asked('forget')).toHaveLength(1);
    expect(exam.asked('save')).toEqual([]);
  });

  it('saves going back to the saved answer when another one may have arrived', () => {
    const exam = sit({ answers: [answer(11, 'A', 3)] }).do(choose('B'), { type: 'left' });
    const [sent] = exam.asked('save');
    exam.do(choose('A', 6000));
    if (sent) exam.do(broken(sent.kept));
    exam.do(go(1));
    expect(exam.asked('save').map(({ kept }) => kept.answer)).toEqual(['A']);
  });

  it('an emptied answer still stands and comes back, 清除作答 says so to the server', () => {
    const exam = sit({ answers: [answer(13, 'A', 3)] }, [], 2).do(choose('A'));
    expect(exam.shown(13)).toBe('');
    expect(unansweredCount(exam.state)).toBe(4);
    exam.do(go(3), go(2));
    expect(exam.shown(13)).toBe('A');
    expect(exam.asked('save')).toEqual([]);
    exam.do({ type: 'cleared', now: 8000 });
    expect(exam.asked('save').map(({ kept }) => kept)).toEqual([{ questionId: 13, answer: '', seq: 8000 }]);
    expect(unansweredCount(exam.state)).toBe(5);
  });

  it('a text of blanks alone is empty', () => {
    const exam = sit({}, [], 3).do({ type: 'typed', text: ' \n', now: 1 }, go(2));
    expect(exam.asked('save')).toEqual([]);
    expect(unansweredCount(exam.state)).toBe(5);
  });

  it('清除作答 is sent also when this window knows of nothing saved: another device may have answered before', () => {
    const exam = sit().do(choose('A'), { type: 'cleared', now: 6000 });
    expect(exam.asked('save').map(({ kept }) => kept)).toEqual([{ questionId: 11, answer: '', seq: 6000 }]);
    exam.do(go(2), choose('A'), choose('A', 5001), { type: 'cleared', now: 7000 });
    expect(exam.asked('save').map(({ kept }) => kept)).toEqual([{ questionId: 13, answer: '', seq: 7000 }]);
  });

  it('清除作答 of a question that never had an answer here says nothing, also after a refresh', () => {
    const exam = sit({ answers: [answer(12, '', 3, { flag: 1 })] });
    exam.do({ type: 'refreshed', held: held({ answers: [answer(12, '', 3, { flag: 1 })] }), asked: 0 });
    exam.do({ type: 'cleared', now: 6000 }, go(1), { type: 'cleared', now: 6001 }, go(2));
    expect(exam.asked('save')).toEqual([]);
    expect(unsentCount(exam.state)).toBe(0);
  });

  it('going back to the saved answer is saved when one of the changes before it may have arrived', () => {
    const exam = sit({ answers: [answer(11, 'A', 3)] }).do(choose('B'), { type: 'left' });
    const [sent] = exam.asked('save');
    if (sent) exam.do(broken(sent.kept));
    exam.do(choose('C', 6000), choose('A', 7000), { type: 'left' });
    expect(exam.asked('save').map(({ kept }) => kept)).toEqual([{ questionId: 11, answer: 'A', seq: 7000 }]);
  });

  it('a newer change stays unsent when the older one is acknowledged', () => {
    const exam = sit().do(choose('A', 100), { type: 'left' });
    const [first] = exam.asked('save');
    exam.do(choose('B', 200));
    if (first) exam.do(saved(first.kept));
    expect(exam.asked('forget')).toEqual([]);
    expect(exam.state.answers.unsent.get(11)).toMatchObject({ answer: 'B', seq: 200, sending: null });
    exam.do(go(1));
    const [second] = exam.asked('save');
    if (second) exam.do(saved(second.kept));
    expect(exam.asked('forget').map(({ kept }) => kept.seq)).toEqual([200]);
    expect(exam.state.savedAt).toBe(7000);
  });

  it('sends at most four at once, and the rest as those come back', () => {
    const local = [11, 12, 13, 14, 15].map((questionId) => ({ questionId, answer: 'A', seq: 50 }));
    const exam = sit({}, local);
    const first = exam.asked('save');
    expect(first).toHaveLength(4);
    if (first[0]) exam.do(saved(first[0].kept));
    expect(exam.asked('save').map(({ kept }) => kept.questionId)).toEqual([15]);
  });

  it('asks what the server holds when it already had a newer answer', () => {
    const exam = sit().do(choose('A'), { type: 'left' });
    const [sent] = exam.asked('save');
    if (sent) exam.do(saved(sent.kept, { stale: true, seq: 99_999 }));
    expect(exam.asked('refresh')).toHaveLength(1);
    expect(exam.state.answers.seq).toBe(99_999);
  });
});

describe('failing', () => {
  it('says so twice, then blocks with the other sentence once, keeps the answer and retries with back-off', () => {
    const exam = sit().do(choose('A'), { type: 'left' });
    const pauses: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      const [sent] = exam.asked('save');
      exam.asked('wait');
      if (sent) exam.do(broken(sent.kept));
      const [wait] = exam.asked('wait');
      pauses.push(wait?.ms ?? 0);
      if (wait) exam.do(wait.event);
    }
    expect(exam.toasts()).toEqual(['提交题目失败', '提交题目失败', '当前答题异常,请稍后重试']);
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000]);
    expect(exam.asked('forget')).toEqual([]);
    expect(unsentCount(exam.state)).toBe(1);
  });

  it('while blocked, leaving a question sends nothing; a success resets the count and sends what waited', () => {
    const exam = sit();
    for (let i = 0; i < 3; i += 1) {
      exam.do(choose(i % 2 ? 'A' : 'B', 100 + i), { type: 'left' });
      const [sent] = exam.asked('save');
      if (sent) exam.do(broken(sent.kept, 'offline'));
    }
    exam.do(go(1), choose('A', 300), go(2));
    expect(exam.asked('save')).toEqual([]);
    exam.do({ type: 'retry', round: exam.state.round });
    const probe = exam.asked('save');
    expect(probe).toHaveLength(1);
    if (probe[0]) exam.do(saved(probe[0].kept));
    expect(exam.state.failures).toBe(0);
    expect(exam.asked('save').map(({ kept }) => kept.questionId)).toEqual([12]);
  });

  it('one answer that always fails does not keep the others from being tried', () => {
    const exam = sit();
    exam.do(choose('A', 100), go(1), choose('B', 200), go(2));
    for (const { kept } of exam.asked('save')) exam.do(broken(kept, 'notFound'));
    const tried = new Set<number>();
    for (let round = 0; round < 4; round += 1) {
      exam.do({ type: 'retry', round: exam.state.round });
      for (const { kept } of exam.asked('save')) {
        tried.add(kept.questionId);
        exam.do(broken(kept, 'notFound'));
      }
    }
    expect(exam.state.failures).toBeGreaterThanOrEqual(3);
    expect([...tried].sort()).toEqual([11, 12]);
  });

  it('an older retry timer does nothing', () => {
    const exam = sit().do(choose('A'), { type: 'left' });
    const [sent] = exam.asked('save');
    if (sent) exam.do(broken(sent.kept));
    exam.do({ type: 'retry', round: 0 });
    expect(exam.asked('save')).toEqual([]);
  });

  it('offline it waits without counting failures, and sends everything when the network is back', () => {
    const exam = sit().do({ type: 'offline' }, choose('A'), go(1), choose('B', 5001), go(2));
    expect(exam.asked('save')).toEqual([]);
    expect(unsentCount(exam.state)).toBe(2);
    exam.do({ type: 'online' });
    expect(exam.asked('save')).toHaveLength(2);
    expect(exam.state.failures).toBe(0);
    expect(exam.toasts()).toEqual([]);
  });

  it('tries one answer now and then while the browser says offline, and believes the server when that is wrong', () => {
    const exam = sit().do({ type: 'offline' }, choose('A'), go(1), choose('B', 5001), go(2));
    const again = () => {
      const [timer] = exam
        .asked('wait')
        .filter(({ event }) => event.type === 'retry')
        .slice(-1);
      expect(timer?.ms).toBe(15_000);
      if (timer) exam.do(timer.event);
      return exam.asked('save');
    };
    const [first] = again();
    expect(first?.kept.questionId).toBe(11);
    if (first) exam.do(broken(first.kept, 'offline'));
    expect(exam.state.failures).toBe(0);
    const [second, ...none] = again();
    expect(none).toEqual([]);
    if (second) exam.do(saved(second.kept));
    expect(exam.state.online).toBe(true);
    expect(exam.asked('save').map(({ kept }) => kept.questionId)).toEqual([11]);
  });

  it('an answer that is not found at the server is kept, as after every failure', () => {
    const exam = sit().do(choose('B'), { type: 'left' });
    const [sent] = exam.asked('save');
    if (sent) exam.do(broken(sent.kept, 'notFound'));
    expect(exam.shown(11)).toBe('B');
    expect(unsentCount(exam.state)).toBe(1);
    expect(exam.asked('forget')).toEqual([]);
  });

  it('being signed out for a moment is no failure of saving', () => {
    const exam = sit().do(choose('A'), { type: 'left' });
    const [sent] = exam.asked('save');
    if (sent) exam.do(broken(sent.kept, 'notSignedIn'));
    expect([exam.state.failures, exam.state.signedOut]).toEqual([0, true]);
    expect(unsentCount(exam.state)).toBe(1);
    expect(exam.asked('wait').filter(({ event }) => event.type === 'retry')).toHaveLength(1);
  });

  it.each(['answerMalformed', 'badInput', 'questionGone'] as const)(
    'an answer that the server will never take is given up and what it holds is shown (%s)',
    (why) => {
      const exam = sit({ answers: [answer(11, 'A', 3)] }).do(choose('B'), { type: 'left' });
      const [sent] = exam.asked('save');
      if (sent) exam.do(broken(sent.kept, why));
      expect(exam.shown(11)).toBe('A');
      expect(unsentCount(exam.state)).toBe(0);
      expect(exam.toasts()).toEqual(['不行']);
    },
  );
});

describe('after a reload', () => {
  it('kept answers newer than the server’s are unsent and sent, never taken for saved', () => {
    const exam = sit({ answers: [answer(11, 'A', 10)] }, [{ questionId: 11, answer: 'B', seq: 12 }]);
    expect(exam.shown(11)).toBe('B');
    expect(exam.state.answers.saved.get(11)).toBe('A');
    expect(exam.state.savedAt).toBeNull();
    expect(exam.asked('save').map(({ kept }) => kept)).toEqual([{ questionId: 11, answer: 'B', seq: 12 }]);
  });

  it('kept answers that the server already has, or that are older, are forgotten', () => {
    const exam = sit({ answers: [answer(11, 'A', 12), answer(12, 'B', 20)] }, [
      { questionId: 11, answer: 'A', seq: 12 },
      { questionId: 12, answer: 'A', seq: 15 },
    ]);
    expect(exam.asked('forget').map(({ kept }) => kept.questionId)).toEqual([11, 12]);
    expect(exam.asked('save')).toEqual([]);
    expect(exam.shown(12)).toBe('B');
  });

  it('a record that is handed in goes to its result', () => {
    expect(sit({ submittedAt: 5 }).asked('goto')).toEqual([{ do: 'goto', to: 'result' }]);
  });
});

describe('another window', () => {
  it('turns this one read-only at once and keeps what is unsent', () => {
    const exam = sit().do(choose('A'), { type: 'takenOver' }, choose('B'), { type: 'flagged' }, go(1));
    expect(exam.state.phase).toBe('takenOver');
    expect(exam.shown(11)).toBe('A');
    expect(exam.state.current).toBe(1);
    expect(exam.asked('save')).toEqual([]);
    expect(unsentCount(exam.state)).toBe(1);
  });

  it('a refused save says the same', () => {
    const exam = sit().do(choose('A'), { type: 'left' });
    const [sent] = exam.asked('save');
    if (sent) exam.do(broken(sent.kept, 'takenOver'));
    expect(exam.state.phase).toBe('takenOver');
    expect(unsentCount(exam.state)).toBe(1);
    expect(exam.asked('forget')).toEqual([]);
  });

  it('continuing here sends own newer answers and takes the other window’s newer ones', () => {
    const exam = sit().do(choose('A', 100), go(1), choose('A', 200), { type: 'takenOver' });
    exam.asked('save');
    exam.asked('forget');
    exam.do({ type: 'tookOver', held: held({ answers: [answer(11, 'C', 150), answer(12, 'B', 50)] }), asked: 0 });
    expect(exam.state.phase).toBe('open');
    expect([exam.shown(11), exam.shown(12)]).toEqual(['C', 'A']);
    expect(exam.asked('save').map(({ kept }) => kept)).toEqual([{ questionId: 12, answer: 'A', seq: 200 }]);
    expect(exam.asked('forget').map(({ kept }) => kept.questionId)).toEqual([11]);
  });

  it('hand-in elsewhere ends this window too', () => {
    const exam = sit().do({ type: 'refreshed', held: held({ submittedAt: 77 }), asked: 0 });
    expect(exam.asked('goto')).toEqual([{ do: 'goto', to: 'result' }]);
    expect(exam.do(choose('A')).shown(11)).toBe('');
  });

  it('what the server said before its latest confirmation is asked again, and takes nothing from the screen', () => {
    const exam = sit({ mayReveal: true }).do({ type: 'offline' }, choose('A', 100), go(1), { type: 'online' });
    expect(exam.asked('refresh')).toHaveLength(1);
    const [sent] = exam.asked('save');
    if (sent) exam.do({ type: 'saved', sent: sent.kept, savedAt: 5, seq: 100, stale: false });
    exam.do({ type: 'flagged' }, { type: 'flagSaved', questionId: 12, flag: true });
    exam.do({ type: 'shown', question: keyed(13), state: 2 });
    exam.do({ type: 'refreshed', held: held(), asked: 0 });
    expect(exam.shown(11)).toBe('A');
    expect(exam.state.flags).toEqual(new Set([12]));
    expect(exam.state.finals.has(13)).toBe(true);
    expect(exam.asked('refresh')).toHaveLength(1);
    const { confirmed } = exam.state;
    exam.do({ type: 'refreshed', held: held({ answers: [answer(11, 'B', 150)] }), asked: confirmed });
    expect(exam.shown(11), 'and an up-to-date one counts').toBe('B');
  });

  it('each kind of confirmation makes an earlier question to the server too old', () => {
    const late: Record<string, ExamEvent> = {
      saved: { type: 'saved', sent: { questionId: 12, answer: 'A', seq: 1 }, savedAt: 5, seq: 1, stale: false },
      flagSaved: { type: 'flagSaved', questionId: 11, flag: true },
      shown: { type: 'shown', question: keyed(13), state: 2 },
    };
    for (const [name, event] of Object.entries(late)) {
      const exam = sit().do({ type: 'flagged' });
      const asked = exam.state.confirmed;
      exam.do(event, { type: 'refreshed', held: held(), asked });
      expect(exam.asked('refresh'), name).toHaveLength(1);
    }
  });

  it('a refresh leaves what is on its way there: it is sent once', () => {
    const exam = sit().do(choose('A'), { type: 'left' });
    exam.do({ type: 'refreshed', held: held(), asked: 0 }, { type: 'left' });
    expect(exam.asked('save')).toHaveLength(1);
  });

  it('a refresh of a read-only window shows what the other one answered', () => {
    const exam = sit().do({ type: 'takenOver' });
    exam.do({ type: 'refreshed', held: held({ ownsWindow: false, answers: [answer(12, 'B', 50)] }), asked: 0 });
    expect([exam.state.phase, exam.shown(12)]).toEqual(['takenOver', 'B']);
  });

  it('a refresh says that another window has the paper', () => {
    const exam = sit().do({ type: 'refreshed', held: held({ ownsWindow: false }), asked: 0 });
    expect(exam.state.phase).toBe('takenOver');
  });

  it('continuing here starts afresh: no failures, time as the server says, everything due again', () => {
    const exam = sit().do(choose('A'), { type: 'left' });
    for (let i = 0; i < 3; i += 1) {
      const [sent] = exam.asked('save');
      if (sent) exam.do(broken(sent.kept));
      exam.do({ type: 'retry', round: exam.state.round });
    }
    exam.do({ type: 'takenOver' }, { type: 'tick', left: 0 });
    exam.asked('save');
    expect([exam.state.failures, exam.state.over]).toEqual([3, true]);
    exam.do({ type: 'tookOver', held: held(), asked: 0 });
    expect([exam.state.failures, exam.state.over]).toEqual([0, false]);
    expect(exam.asked('save').map(({ kept }) => kept.answer)).toEqual(['A']);
  });

  it('what the server was asked before the taking over does not lock the window again', () => {
    const exam = sit().do({ type: 'takenOver' });
    const asked = exam.state.confirmed;
    exam.do({ type: 'tookOver', held: held(), asked });
    exam.do({ type: 'refreshed', held: held({ ownsWindow: false }), asked });
    expect(exam.state.phase).toBe('open');
    expect(exam.asked('refresh')).toHaveLength(1);
  });

  it('a refresh does not replace what is being changed now', () => {
    const exam = sit({ answers: [answer(14, '旧', 1)] }, [], 3).do({ type: 'typed', text: '', now: 10 });
    exam.do({ type: 'refreshed', held: held({ answers: [answer(14, '旧', 1)] }), asked: 0 });
    expect(exam.shown(14)).toBe('');
    exam.do({ type: 'typed', text: '新的', now: 20 });
    exam.do({ type: 'refreshed', held: held({ answers: [answer(14, '旧', 1)] }), asked: 0 });
    expect(exam.shown(14)).toBe('新的');
  });
});

describe('moving', () => {
  it('toasts at both edges of an exam', () => {
    const exam = sit().do(go(-1));
    exam.do(go(4), go(5));
    expect(exam.toasts()).toEqual(['当前是第一题，没有上一题了哟！', '没有下一题了呦！']);
    expect(exam.state.dialog).toBeNull();
    expect(exam.state.current).toBe(4);
  });

  it('asks for the chapter-finish dialog at the end of practice and recite', () => {
    const practice = sit({ examMode: -1, mayReveal: true }, [], 4).do(go(5));
    expect(practice.state.dialog).toBe('finish');
    const recite = sit({ examMode: -1, mayReveal: true }, [], 4).do({ type: 'mode', questionMode: 2 }, go(5));
    expect([recite.state.dialog, recite.toasts()]).toEqual(['finish', []]);
  });

  it('advances by itself 500 ms after a single choice', () => {
    const exam = sit().do(choose('A'));
    const wait = exam.asked('wait').find(({ event }) => event.type === 'advance');
    expect(wait?.ms).toBe(500);
    if (wait) exam.do(wait.event);
    expect(exam.state.current).toBe(1);
    expect(exam.asked('save')).toHaveLength(1);
    expect(exam.asked('address')).toEqual([{ do: 'address', index: 1 }]);
  });

  it.each([
    ['a later change', [choose('B', 5001)]],
    ['going back to the saved answer', [choose('C', 5001)]],
    ['clearing', [{ type: 'cleared', now: 5001 }]],
    ['moving', [go(2), go(0)]],
    ['a wish to go back from the first question', [go(-1)]],
    ['marking', [{ type: 'flagged' }]],
    ['switching it off', [{ type: 'autoAdvance', on: false }]],
    ['a dialog', [{ type: 'dialog', dialog: 'feedback' }]],
    ['another window', [{ type: 'takenOver' }]],
  ] satisfies [string, ExamEvent[]][])('%s cancels the advance', (_, events) => {
    const exam = sit({ answers: [answer(11, 'C', 2)] }).do(choose('A'));
    const wait = exam.asked('wait').find(({ event }) => event.type === 'advance');
    exam.do(...events);
    if (wait) exam.do(wait.event);
    expect(exam.state.current).toBe(0);
  });

  it('does not advance from multiple choice or from the last question', () => {
    const many = sit({}, [], 2).do(choose('A'));
    const last = sit({}, [], 4).do(choose('A'));
    expect([...many.asked('wait'), ...last.asked('wait')].filter(({ event }) => event.type === 'advance')).toEqual([]);
  });

  it('multiple choice toggles and keeps the letters sorted', () => {
    expect(sit({}, [], 2).do(choose('C'), choose('A'), choose('B'), choose('A')).shown(13)).toBe('BC');
  });

  it('a letter that the question does not have is ignored', () => {
    expect(sit().do(choose('H')).shown(11)).toBe('');
  });
});

describe('time and hand-in', () => {
  it('at zero a paper with any answer is handed in with the unsent ones inside, once', () => {
    const exam = sit().do(choose('A', 10), { type: 'tick', left: 0 }, { type: 'tick', left: -5 });
    expect(exam.asked('submit')).toEqual([{ do: 'submit', answers: [{ questionId: 11, answer: 'A', seq: 10 }] }]);
    expect(exam.asked('goto')).toEqual([]);
  });

  it('at zero a paper without any answer leads to 考题中心', () => {
    const exam = sit().do({ type: 'tick', left: 0 });
    expect(exam.asked('submit')).toEqual([]);
    expect(exam.asked('goto')).toEqual([{ do: 'goto', to: 'examCenter' }]);
  });

  it('a read-only window hands nothing in at zero', () => {
    const exam = sit().do(choose('A'), { type: 'takenOver' }, { type: 'tick', left: 0 });
    expect(exam.asked('submit')).toEqual([]);
  });

  it('a save that came too late is said, and the paper is handed in', () => {
    const exam = sit().do(choose('A'), { type: 'left' });
    const [sent] = exam.asked('save');
    if (sent) exam.do(broken(sent.kept, 'tooLate'));
    expect(exam.toasts()).toEqual(['不行']);
    expect(exam.asked('submit')).toHaveLength(1);
    expect(unsentCount(exam.state)).toBe(1);
  });

  it('retries a failed hand-in with the newest answers and stops when asked', () => {
    const exam = sit().do(choose('A'), { type: 'submit' }, { type: 'submit' });
    expect(exam.asked('submit')).toHaveLength(1);
    exam.do(refusedHandIn(fail('offline')));
    const wait = exam.asked('wait').find(({ event }) => event.type === 'submitAgain');
    expect(wait?.ms).toBe(1000);
    if (wait) exam.do(wait.event);
    expect(exam.asked('submit')).toHaveLength(1);
    exam.do(refusedHandIn(fail('offline')), { type: 'submitStopped' });
    expect([exam.state.phase, exam.state.dialog]).toEqual(['open', null]);
    expect(exam.do(choose('B', 9000)).shown(11)).toBe('B');
  });

  it('tries again at once when the network is back', () => {
    const exam = sit().do(choose('A'), { type: 'submit' }, { type: 'offline' });
    exam.do(refusedHandIn(fail('offline')));
    exam.asked('submit');
    exam.do({ type: 'online' });
    expect(exam.asked('submit')).toHaveLength(1);
  });

  it('tries again although the browser says offline', () => {
    const exam = sit().do(choose('A'), { type: 'submit' });
    exam.do(refusedHandIn(fail('offline')), { type: 'offline' });
    exam.asked('submit');
    exam.do({ type: 'retry', round: exam.state.round });
    expect(exam.asked('submit')).toHaveLength(1);
  });

  it('the server’s news of one’s own hand-in does not overtake its reply, which names what came too late', () => {
    const exam = sit().do(choose('A'), { type: 'submit' }, { type: 'submitted', result: null });
    expect(exam.asked('goto')).toEqual([]);
    exam.do({ type: 'submitted', result: handed });
    expect(exam.asked('goto')).toHaveLength(1);
  });

  it('a refresh that sees one’s own hand-in does not overtake its reply either', () => {
    const exam = sit().do(choose('A'), { type: 'submit' });
    exam.do({ type: 'refreshed', held: held({ submittedAt: 77 }), asked: 0 });
    expect([exam.state.phase, exam.asked('goto')]).toEqual(['handing', []]);
  });

  it.each(['answerMalformed', 'badInput', 'tooLarge'] as const)(
    'in time, a hand-in refused for what it encloses (%s) goes back to answering and saves one by one',
    (why) => {
      const exam = sit().do(choose('A'), go(1), choose('B', 6000), { type: 'submit' });
      const saves = exam.asked('save');
      for (const { kept } of saves) exam.do(broken(kept));
      exam.toasts();
      const [submit] = exam.asked('submit');
      exam.do(refusedHandIn(fail(why), submit?.answers));
      expect([exam.state.phase, exam.state.dialog, exam.toasts()]).toEqual(['open', null, ['不行']]);
      expect(
        exam
          .asked('save')
          .map(({ kept }) => kept.questionId)
          .sort(),
      ).toEqual([11, 12]);
      expect(exam.asked('submit')).toEqual([]);
    },
  );

  /** Three unsent answers, the time over, the first hand-in under way. */
  function overTime() {
    const exam = sit().do({ type: 'offline' }, choose('A', 10), go(1), choose('B', 20), go(2), choose('C', 30));
    exam.do({ type: 'tick', left: 0 });
    const [submit] = exam.asked('submit');
    return { exam, sent: submit?.answers ?? [] };
  }
  const enclosed = (exam: ReturnType<typeof sit>) =>
    exam.asked('submit').map(({ answers }) => answers.map(({ questionId }) => questionId));

  it.each(['answerMalformed', 'badInput', 'tooLarge'] as const)(
    'after the end it is repeated without what was refused, which stays in the browser (%s)',
    (why) => {
      const { exam, sent } = overTime();
      expect(sent).toHaveLength(3);
      exam.do(refusedHandIn(fail(why), sent));
      expect(enclosed(exam)).toEqual([[]]);
      exam.do({ type: 'retry', round: exam.state.round }, { type: 'retryNow' });
      expect(exam.asked('save'), 'and is not sent alone').toEqual([]);
      exam.do({ type: 'submitted', result: handed });
      expect(exam.asked('forget')).toEqual([]);
      expect(exam.asked('goto')).toHaveLength(1);
    },
  );

  it('where the refusal names one answer, only that one is left out', () => {
    const { exam, sent } = overTime();
    exam.do(refusedHandIn({ ...fail('badInput'), field: 'answers.1.seq' }, sent));
    const [second] = exam.asked('submit');
    expect(second?.answers.map(({ questionId }) => questionId)).toEqual([11, 13]);
    exam.do(refusedHandIn({ ...fail('answerMalformed'), field: 'answers.1' }, second?.answers));
    expect(enclosed(exam)).toEqual([[11]]);
    exam.do({ type: 'submitted', result: handed });
    expect(exam.asked('forget').map(({ kept }) => kept.questionId)).toEqual([11]);
  });

  it('a hand-in refused without answers inside is repeated with back-off, not at once', () => {
    const { exam, sent } = overTime();
    exam.do(refusedHandIn(fail('tooLarge'), sent));
    exam.asked('submit');
    exam.do(refusedHandIn(fail('tooLarge'), []));
    expect(exam.asked('submit')).toEqual([]);
    expect(exam.asked('wait').some(({ event }) => event.type === 'submitAgain')).toBe(true);
  });

  it('a hand-in that time started cannot be stopped', () => {
    const exam = sit().do(choose('A'), { type: 'tick', left: 0 });
    exam.do(refusedHandIn(fail('offline')), { type: 'submitStopped' });
    expect(exam.state.phase).toBe('handing');
  });

  it('after hand-in everything is forgotten and nothing can change', () => {
    const exam = sit().do(choose('A'), { type: 'submit' });
    exam.do({ type: 'submitted', result: handed });
    expect(exam.asked('goto')).toEqual([{ do: 'goto', to: 'result' }]);
    expect(unsentCount(exam.state)).toBe(0);
    exam.do(choose('B'), { type: 'flagged' }, go(1), { type: 'submitted', result: null });
    expect([exam.asked('goto'), exam.asked('save'), exam.asked('flag')]).toEqual([[], [], []]);
  });
});

describe('marks', () => {
  it('shows at once, sends, and sends again when the network is back', () => {
    const exam = sit().do({ type: 'flagged' });
    expect(exam.state.flags.has(11)).toBe(true);
    expect(exam.asked('flag')).toEqual([{ do: 'flag', questionId: 11, flag: true }]);
    exam.do({ type: 'flagFailed', questionId: 11, flag: true, failure: fail('offline') }, { type: 'online' });
    expect(exam.asked('flag')).toHaveLength(1);
    exam.do({ type: 'flagSaved', questionId: 11, flag: true }, { type: 'online' });
    expect(exam.asked('flag')).toEqual([]);
  });
});

describe('keys', () => {
  const practice = { examMode: -1 as const, mayReveal: true };

  it('are never asked for in a scored exam', () => {
    const exam = sit().do({ type: 'show' }, { type: 'mode', questionMode: 2 });
    expect([exam.asked('show'), exam.asked('recite'), exam.state.questionMode]).toEqual([[], [], 1]);
  });

  it('查看答案 saves first, then shows, then the answer is final', () => {
    const exam = sit(practice).do(choose('B'), { type: 'show' });
    expect(exam.asked('show')).toEqual([]);
    const [sent] = exam.asked('save');
    if (sent) exam.do(saved(sent.kept));
    expect(exam.asked('show')).toEqual([{ do: 'show', questionId: 11 }]);
    exam.do({ type: 'shown', question: keyed(11), state: 2 }, choose('A'));
    expect(exam.shown(11)).toBe('B');
    expect(exam.state.finals.get(11)).toBe(2);
  });

  it('the key of a final answer is asked for again after a reload', () => {
    const exam = sit({ ...practice, answers: [answer(11, 'B', 3, { showAnswerFlag: 1, state: 2 })] });
    expect(exam.asked('show')).toEqual([{ do: 'show', questionId: 11 }]);
    expect(exam.do(choose('A')).shown(11)).toBe('B');
  });

  it('recite mode shows all keys, names the hidden ones, and takes no answers', () => {
    const exam = sit(practice).do({ type: 'mode', questionMode: 2 });
    expect(exam.asked('recite')).toHaveLength(1);
    exam.do({ type: 'recited', questions: [keyed(11)], hidden: [12] }, choose('A'));
    expect([exam.state.keys.has(11), exam.state.hidden.has(12), exam.shown(11)]).toEqual([true, true, '']);
  });

  it('a refused recite goes back to answering and says why', () => {
    const exam = sit(practice).do(
      { type: 'mode', questionMode: 2 },
      { type: 'reciteFailed', failure: fail('noRecite') },
    );
    expect([exam.state.questionMode, exam.toasts()]).toEqual([1, ['不行']]);
  });
});
