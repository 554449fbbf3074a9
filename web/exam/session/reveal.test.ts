import { describe, expect, it } from 'vitest';
import { answer, choose, fail, keyed, saved, sit, snapshot } from './session.test-kit.ts';

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
    if (sent) exam.do(saved(sent.unsent));
    expect(exam.asked('show')).toEqual([{ do: 'show', questionId: 11 }]);
    exam.do({ type: 'shown', question: keyed(11), state: 2 }, choose('A'));
    expect(exam.shown(11)).toBe('B');
    expect(exam.state.finals.get(11)).toBe(2);
  });

  it('at once after a choice of one letter, where the student wants it so, instead of moving on', () => {
    const exam = sit(practice).do({ type: 'showAtOnce', on: true }, choose('B'));
    const [sent] = exam.asked('save');
    if (sent) exam.do(saved(sent.unsent));
    expect(exam.asked('show')).toEqual([{ do: 'show', questionId: 11 }]);
    exam.do({ type: 'shown', question: keyed(11), state: 2 }, { type: 'advance', chosenAt: 5000 });
    expect(exam.state.current, 'the answer is read first').toBe(0);
  });

  it('at once never in a scored exam, of several letters, or on the way by arrow keys', () => {
    const atOnce = { type: 'showAtOnce', on: true } as const;
    expect(sit().do(atOnce, choose('B')).asked('show')).toEqual([]);
    const asks = (exam: ReturnType<typeof sit>) => [...exam.state.showing];
    expect(asks(sit(practice, [], 2).do(atOnce, choose('A')))).toEqual([]);
    const arrows = sit(practice).do(atOnce, { ...choose('B'), type: 'chosen', stays: true } as never);
    expect(asks(arrows)).toEqual([]);
    expect(asks(arrows.do(choose('B'))), 'chosen again, by Space: that is the answer').toEqual([[11, 'saving']]);
  });

  it('without a network no key is waited for, whichever answer was tried; it is said, and the answer can be changed', () => {
    const exam = sit(practice).do({ type: 'showAtOnce', on: true }, { type: 'offline' }, choose('B'));
    const tried = () => exam.asked('save').at(-1)?.unsent ?? { questionId: 0, answer: '', seq: 0 };
    const failed = () => exam.do({ type: 'saveFailed', sent: tried(), failure: fail('offline'), jitter: 0 });
    failed();
    exam.do({ type: 'go', to: 1 }, choose('A'), { type: 'show' });
    expect([...exam.state.showing]).toEqual([[12, 'saving']]);
    expect(tried().questionId, 'one is tried, the first that waits').toBe(11);
    failed();
    expect([...exam.state.showing]).toEqual([]);
    expect(exam.toasts()).toEqual(Array(2).fill('作答还没送达服务器，暂时不能看答案'));
    exam.do({ type: 'go', to: 0 }, choose('A'));
    expect(exam.shown(11)).toBe('A');
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
    expect([exam.state.questionMode, exam.toasts()]).toEqual([1, ['refused']]);
  });

  it('those that recite mode showed before are not held once they are withheld', () => {
    const exam = sit(practice).do(
      { type: 'mode', questionMode: 2 },
      { type: 'recited', questions: [keyed(11), keyed(12)], hidden: [] },
      { type: 'mode', questionMode: 1 },
      { type: 'mode', questionMode: 2 },
      { type: 'recited', questions: [keyed(11)], hidden: [12] },
    );
    expect([...exam.state.keys.keys()]).toEqual([11]);
  });

  it('are dropped and asked for anew when a scored exam begins in another window, those of recite mode and those shown one by one', () => {
    const reciting = sit(practice).do(
      { type: 'mode', questionMode: 2 },
      { type: 'recited', questions: [keyed(11), keyed(12)], hidden: [] },
      { type: 'examBegan' },
    );
    expect([reciting.state.keys.size, reciting.state.recite, reciting.asked('recite').length]).toEqual([
      0,
      'asking',
      2,
    ]);

    const shown = answer(11, 'B', 3, { showAnswerFlag: 1, state: 2 });
    const practising = sit({ ...practice, answers: [shown] }).do({ type: 'shown', question: keyed(11), state: 2 });
    expect(practising.do({ type: 'examBegan' }).asked('refresh')).toHaveLength(1);
    const now = snapshot({ ...practice, answers: [{ ...shown, state: 0 }] });
    practising.do({ type: 'refreshed', snapshot: now, asked: practising.state.confirmed });
    expect([practising.state.keys.size, practising.state.finals.get(11)], 'nor what it came to').toEqual([0, 0]);
    expect(practising.asked('show').at(-1)).toEqual({ do: 'show', questionId: 11 });
  });

  it('nothing is dropped or asked where there is no key', () => {
    const exam = sit(practice).do({ type: 'examBegan' });
    expect([exam.asked('recite'), exam.asked('refresh')]).toEqual([[], []]);
  });

  it('what a snapshot withholds is dropped: the exam began on another device', () => {
    const shown = answer(11, 'B', 3, { showAnswerFlag: 1, state: 2 });
    const exam = sit({ ...practice, answers: [shown] }).do({ type: 'shown', question: keyed(11), state: 2 });
    const refresh = (state: number) =>
      exam.do({
        type: 'refreshed',
        snapshot: snapshot({ ...practice, answers: [{ ...shown, state }] }),
        asked: exam.state.confirmed,
      });
    expect(refresh(2).state.keys.has(11)).toBe(true);
    expect(refresh(0).state.keys.has(11)).toBe(false);
  });
});
