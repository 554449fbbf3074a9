import { describe, expect, it } from 'vitest';
import { type ExamEvent, unsentCount } from './exam-model.ts';
import { answer, broken, choose, fail, go, saved, sit } from './session.test-kit.ts';

describe('saving', () => {
  it('puts a change on the disk before anything is sent, and sends it on leaving the question', () => {
    const exam = sit().do(choose('B'));
    expect(exam.asked('keep')).toEqual([{ do: 'keep', unsent: { questionId: 11, answer: 'B', seq: 5000 } }]);
    expect(exam.asked('save')).toEqual([]);
    exam.do(go(1));
    expect(exam.asked('save').map(({ unsent }) => unsent)).toEqual([{ questionId: 11, answer: 'B', seq: 5000 }]);
  });

  it('sends after 800 ms of quiet, and not when the answer changed meanwhile', () => {
    const exam = sit({}, [], 3).do({ type: 'typed', text: '一', now: 1 }, { type: 'typed', text: '一二', now: 2 });
    const waits = exam.asked('wait');
    expect(waits.map(({ ms }) => ms)).toEqual([800, 800]);
    exam.do(waits[0]?.event ?? go(0));
    expect(exam.asked('save')).toEqual([]);
    exam.do(waits[1]?.event ?? go(0));
    expect(exam.asked('save').map(({ unsent }) => unsent.answer)).toEqual(['一二']);
  });

  it('a newer change stays unsent when the older one is acknowledged', () => {
    const exam = sit().do(choose('A', 100), { type: 'left' });
    const [first] = exam.asked('save');
    exam.do(choose('B', 200));
    if (first) exam.do(saved(first.unsent));
    expect(exam.asked('forget')).toEqual([]);
    expect(exam.state.answers.unsent.get(11)).toMatchObject({ answer: 'B', seq: 200, sending: null });
    exam.do(go(1));
    const [second] = exam.asked('save');
    if (second) exam.do(saved(second.unsent));
    expect(exam.asked('forget').map(({ unsent }) => unsent.seq)).toEqual([200]);
    expect(exam.state.savedAt).toBe(7000);
  });

  it('sends at most four at once, and the rest as those come back', () => {
    const local = [11, 12, 13, 14, 15].map((questionId) => ({ questionId, answer: 'A', seq: 50 }));
    const exam = sit({}, local);
    const first = exam.asked('save');
    expect(first).toHaveLength(4);
    if (first[0]) exam.do(saved(first[0].unsent));
    expect(exam.asked('save').map(({ unsent }) => unsent.questionId)).toEqual([15]);
  });

  it('asks what the server holds when it already had a newer answer', () => {
    const exam = sit().do(choose('A'), { type: 'left' });
    const [sent] = exam.asked('save');
    if (sent) exam.do(saved(sent.unsent, { stale: true, seq: 99_999 }));
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
      if (sent) exam.do(broken(sent.unsent));
      const [wait] = exam.asked('wait');
      pauses.push(wait?.ms ?? 0);
      if (wait) exam.do(wait.event);
    }
    expect(exam.toasts()).toEqual(['提交题目失败', '提交题目失败', '当前答题异常,请稍后重试']);
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000]);
    expect(exam.asked('forget')).toEqual([]);
    expect(unsentCount(exam.state)).toBe(1);
  });

  it('a server that cannot store anything says itself what becomes of the answers', () => {
    const exam = sit().do(choose('A'), { type: 'left' });
    for (let i = 0; i < 3; i += 1) {
      const [sent] = exam.asked('save');
      exam.asked('wait');
      if (sent) exam.do({ ...broken(sent.unsent), failure: fail('cannotSave', 'kept on this device') } as ExamEvent);
      const [wait] = exam.asked('wait');
      if (wait) exam.do(wait.event);
    }
    expect(exam.toasts()).toEqual(['提交题目失败', '提交题目失败', 'kept on this device']);
  });

  it('while blocked, leaving a question sends nothing; a success resets the count and sends what waited', () => {
    const exam = sit();
    for (let i = 0; i < 3; i += 1) {
      exam.do(choose(i % 2 ? 'A' : 'B', 100 + i), { type: 'left' });
      const [sent] = exam.asked('save');
      if (sent) exam.do(broken(sent.unsent, 'offline'));
    }
    exam.do(go(1), choose('A', 300), go(2));
    expect(exam.asked('save')).toEqual([]);
    exam.do({ type: 'retry', round: exam.state.round });
    const probe = exam.asked('save');
    expect(probe).toHaveLength(1);
    if (probe[0]) exam.do(saved(probe[0].unsent));
    expect(exam.state.failures).toBe(0);
    expect(exam.asked('save').map(({ unsent }) => unsent.questionId)).toEqual([12]);
  });

  /** Three failures in a row, all said. */
  function blocked(index = 0) {
    const exam = sit({}, [], index).do(index === 3 ? { type: 'typed', text: '一', now: 100 } : choose('A', 100));
    exam.do({ type: 'left' });
    for (let i = 0; i < 3; i += 1) {
      for (const { unsent } of exam.asked('save')) exam.do(broken(unsent));
      exam.do({ type: 'retry', round: exam.state.round });
    }
    expect(exam.toasts().at(-1)).toBe('当前答题异常,请稍后重试');
    return exam;
  }

  it('while blocked, each change that would be saved says so again, and a retry does not', () => {
    const exam = blocked();
    for (const { unsent } of exam.asked('save')) exam.do(broken(unsent));
    exam.do({ type: 'retry', round: exam.state.round });
    expect(exam.toasts(), 'a retry').toEqual([]);
    exam.do(choose('B', 200), go(1));
    expect(exam.toasts(), 'a change, on leaving its question').toEqual(['当前答题异常,请稍后重试']);
    exam.do(choose('A', 300));
    const quiet = exam.asked('wait').find(({ event }) => event.type === 'quiet' && event.questionId === 12);
    if (quiet) exam.do(quiet.event);
    expect(exam.toasts(), 'a change, after a pause').toEqual(['当前答题异常,请稍后重试']);
    exam.do({ type: 'cleared', now: 400 });
    expect(exam.toasts(), 'clearing').toEqual(['当前答题异常,请稍后重试']);
    exam.do(go(2), go(3), { type: 'left' });
    expect(exam.toasts(), 'moving on without a change').toEqual([]);
    expect(unsentCount(exam.state), 'and everything is kept').toBe(2);
  });

  it('while blocked, typing says so once for each pause, not for each character', () => {
    const exam = blocked(3);
    exam.asked('wait');
    exam.do({ type: 'typed', text: '一二', now: 200 }, { type: 'typed', text: '一二三', now: 201 });
    expect(exam.toasts()).toEqual([]);
    for (const { event } of exam.asked('wait')) if (event.type === 'quiet') exam.do(event);
    expect(exam.toasts()).toEqual(['当前答题异常,请稍后重试']);
  });

  it('a change that was made while a retry was under way says so when that fails', () => {
    const exam = blocked();
    const [retry] = exam.asked('save');
    exam.do(choose('B', 200));
    if (retry) exam.do(broken(retry.unsent));
    expect(exam.toasts()).toEqual(['当前答题异常,请稍后重试']);
  });

  it.each([
    ['without a network', { type: 'offline' }],
    ['handing in', { type: 'submit' }],
  ] satisfies [string, ExamEvent][])('%s a change is not said to be blocked', (_, event) => {
    const exam = blocked().do(choose('B', 200), event);
    if (event.type === 'offline') exam.do(go(1));
    expect(exam.toasts()).toEqual([]);
  });

  it('one answer that always fails does not keep the others from being tried', () => {
    const exam = sit();
    exam.do(choose('A', 100), go(1), choose('B', 200), go(2));
    for (const { unsent } of exam.asked('save')) exam.do(broken(unsent, 'notFound'));
    const tried = new Set<number>();
    for (let round = 0; round < 4; round += 1) {
      exam.do({ type: 'retry', round: exam.state.round });
      for (const { unsent } of exam.asked('save')) {
        tried.add(unsent.questionId);
        exam.do(broken(unsent, 'notFound'));
      }
    }
    expect(exam.state.failures).toBeGreaterThanOrEqual(3);
    expect([...tried].sort()).toEqual([11, 12]);
  });

  it('an older retry timer does nothing', () => {
    const exam = sit().do(choose('A'), { type: 'left' });
    const [sent] = exam.asked('save');
    if (sent) exam.do(broken(sent.unsent));
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
    expect(first?.unsent.questionId).toBe(11);
    if (first) exam.do(broken(first.unsent, 'offline'));
    expect(exam.state.failures).toBe(0);
    const [second, ...none] = again();
    expect(none).toEqual([]);
    if (second) exam.do(saved(second.unsent));
    expect(exam.state.online).toBe(true);
    expect(exam.asked('save').map(({ unsent }) => unsent.questionId)).toEqual([11]);
  });

  it('an answer that is not found at the server is kept, as after every failure', () => {
    const exam = sit().do(choose('B'), { type: 'left' });
    const [sent] = exam.asked('save');
    if (sent) exam.do(broken(sent.unsent, 'notFound'));
    expect(exam.shown(11)).toBe('B');
    expect(unsentCount(exam.state)).toBe(1);
    expect(exam.asked('forget')).toEqual([]);
  });

  it('being signed out for a moment is no failure of saving', () => {
    const exam = sit().do(choose('A'), { type: 'left' });
    const [sent] = exam.asked('save');
    if (sent) exam.do(broken(sent.unsent, 'notSignedIn'));
    expect([exam.state.failures, exam.state.signedOut]).toEqual([0, true]);
    expect(unsentCount(exam.state)).toBe(1);
    expect(exam.asked('wait').filter(({ event }) => event.type === 'retry')).toHaveLength(1);
  });

  it('an answer whose number another one has is said to be not stored, and what the server holds is asked for', () => {
    const exam = sit().do(choose('B'), { type: 'left' });
    const [sent] = exam.asked('save');
    if (sent) exam.do(broken(sent.unsent, 'seqTaken'));
    expect([exam.toasts(), unsentCount(exam.state)]).toEqual([['refused'], 0]);
    expect(exam.asked('refresh')).toHaveLength(1);
  });

  it('too much at once is no failure of saving: the answer is kept and sent a little later, nothing is blocked', () => {
    const exam = sit();
    for (const letter of ['A', 'B', 'A', 'B']) {
      exam.do(choose(letter), { type: 'left' });
      const sent = exam.asked('save').at(-1);
      if (sent) exam.do(broken(sent.unsent, 'tooMany'));
    }
    expect(exam.state.failures).toBe(0);
    expect(exam.shown(11)).toBe('B');
    expect(unsentCount(exam.state)).toBe(1);
    expect(exam.asked('forget').map(({ unsent }) => unsent.answer)).not.toContain('B');
    expect(exam.toasts()).toEqual([]);
    expect(exam.asked('wait').some(({ event }) => event.type === 'retry')).toBe(true);
  });

  it.each(['answerMalformed', 'badInput', 'questionGone'] as const)(
    'an answer that the server will never take is given up and what it holds is shown (%s)',
    (why) => {
      const exam = sit({ answers: [answer(11, 'A', 3)] }).do(choose('B'), { type: 'left' });
      const [sent] = exam.asked('save');
      if (sent) exam.do(broken(sent.unsent, why));
      expect(exam.shown(11)).toBe('A');
      expect(unsentCount(exam.state)).toBe(0);
      expect(exam.toasts()).toEqual(['refused']);
    },
  );
});
