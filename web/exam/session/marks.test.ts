import { describe, expect, it } from 'vitest';
import { marks as kinds, type Mark } from '#contract/values/exam.ts';
import { type ExamEvent, guessedRight } from './exam-model.ts';
import { sendMarks } from './marks-state.ts';
import { answer, choose, fail, go, paper, sit, snapshot } from './session.test-kit.ts';
import { openExam } from './snapshot.ts';

/** A window on a record whose first question is answered, so that it can carry every mark. */
const answered = (change: Parameters<typeof sit>[0] = {}, index = 0) =>
  sit({ answers: [answer(11, 'A', 3)], ...change }, [], index);

describe.each(kinds)('marks: %s', (mark: Mark) => {
  const press = (questionId?: number): ExamEvent => ({ type: 'marked', mark, ...(questionId ? { questionId } : {}) });
  const change = (on = true, questionId = 11) => ({ mark, questionId, on });
  const failed = (why: Parameters<typeof fail>[0], on = true): ExamEvent => ({
    type: 'markFailed',
    change: change(on),
    failure: fail(why),
  });

  it('shows at once, sends, and sends again when the network is back', () => {
    const exam = answered().do(press());
    expect(exam.state.marks[mark].has(11)).toBe(true);
    expect(exam.asked('mark')).toEqual([{ do: 'mark', ...change() }]);
    exam.do(failed('offline'), { type: 'online' });
    expect(exam.asked('mark')).toHaveLength(1);
    exam.do({ type: 'markSaved', change: change() }, { type: 'online' });
    expect(exam.asked('mark')).toEqual([]);
  });

  it('is taken back with the reason when the server will never take it, which confirms nothing', () => {
    const exam = answered().do(press());
    const { confirmed } = exam.state;
    exam.do(failed('notFound'), { type: 'online' });
    expect([...exam.state.marks[mark], ...exam.state.marksUnsent[mark]]).toEqual([]);
    expect(exam.toasts()).toEqual(['refused']);
    expect(exam.asked('mark'), 'and is not sent again').toHaveLength(1);
    expect(exam.state.confirmed).toBe(confirmed);
  });

  it('is taken back with what refuses the whole record, which says so by itself', () => {
    const exam = answered().do(press(), failed('takenOver'));
    expect([exam.state.phase, exam.state.marks[mark].size, exam.toasts()]).toEqual(['takenOver', 0, []]);
    const late = answered({ kind: 'mock' }).do(press(), failed('tooLate'));
    expect([late.state.over, late.state.marks[mark].size, late.toasts()]).toEqual([
      true,
      0,
      ['考试时间已到，这个标记没有保存'],
    ]);
  });

  it('a newer one of the question decides, whatever becomes of the older', () => {
    const exam = answered().do(press(), press(), failed('notFound'));
    expect([...exam.state.marksUnsent[mark]]).toEqual([[11, false]]);
    expect(exam.toasts()).toEqual([]);
  });

  it('what a reload found unsent is shown, and sent once more', () => {
    const unsent = new Map([
      [11, true],
      [12, false],
      [99, true],
    ]);
    const step = openExam(paper, snapshot({ answers: [answer(12, '', 0, { [mark]: 1 })] }), [], {
      index: 0,
      autoAdvance: true,
      online: true,
      marks: { flag: new Map(), guess: new Map(), [mark]: unsent },
    });
    expect([...step.state.marks[mark]]).toEqual([11]);
    expect(step.requests.filter((request) => request.do === 'mark')).toEqual([
      { do: 'mark', ...change(true, 11) },
      { do: 'mark', ...change(false, 12) },
    ]);
  });

  it('a window that takes the record over shows what the other one marked, and its own that is unsent', () => {
    const exam = answered().do(press(), { type: 'takenOver' });
    const elsewhere = snapshot({ answers: [answer(11, 'A', 3), answer(12, 'A', 4, { [mark]: 1 })] });
    exam.do({ type: 'tookOver', snapshot: elsewhere, asked: exam.state.confirmed });
    expect([...exam.state.marks[mark]].sort()).toEqual([11, 12]);
  });

  it('of one kind says nothing of the other', () => {
    const exam = answered().do(press());
    const [other = mark] = kinds.filter((kind) => kind !== mark);
    expect([exam.state.marks[other].size, exam.state.marksUnsent[other].size]).toEqual([0, 0]);
    expect(sendMarks(exam.state.marksUnsent)).toEqual([{ do: 'mark', ...change() }]);
  });
});

describe('a guess', () => {
  const guess: ExamEvent = { type: 'marked', mark: 'guess' };
  const guessed = (exam: ReturnType<typeof sit>) => [...exam.state.marks.guess];

  it.each<[string, () => ReturnType<typeof sit>, number[]]>([
    ['a question without an answer', () => sit().do(guess), []],
    ['one that was answered just now', () => sit().do(choose('A'), guess), [11]],
    ['one that is answered', () => answered().do(guess), [11]],
    ['a written answer', () => sit({ answers: [answer(14, 'text', 3)] }, [], 3).do(guess), []],
    ['while reciting', () => answered({ mayReveal: true }).do({ type: 'mode', questionMode: 2 }, guess), []],
    [
      'after the key was shown',
      () => answered({ answers: [answer(11, 'A', 3, { showAnswerFlag: 1, state: 1 })] }).do(guess),
      [11],
    ],
    ['in a read-only window', () => answered().do({ type: 'takenOver' }, guess), []],
  ])('%s', (_, exam, expected) => {
    expect(guessed(exam())).toEqual(expected);
  });

  it('goes with an answer that is cleared', () => {
    const exam = answered().do(guess);
    exam.asked('mark');
    exam.do({ type: 'cleared', now: 5000 });
    expect(guessed(exam)).toEqual([]);
    expect(exam.asked('mark')).toEqual([{ do: 'mark', mark: 'guess', questionId: 11, on: false }]);
    exam.do(go(1), { type: 'cleared', now: 6000 });
    expect(exam.asked('mark'), 'of a question that is none nothing is sent').toEqual([]);
  });

  it('is said of an answer that is known to be right, and that it is listed once the server knows', () => {
    const final = (state: number) =>
      answered({ answers: [answer(11, 'A', 3, { showAnswerFlag: 1, state })] }).do(guess);
    expect(guessedRight(answered().do(guess).state, 11), 'nobody knows yet').toBeUndefined();
    expect(guessedRight(final(2).state, 11), 'wrong').toBeUndefined();
    const right = final(1);
    expect(guessedRight(right.state, 11)).toBe('said');
    right.do({ type: 'markSaved', change: { mark: 'guess', questionId: 11, on: true } });
    expect(guessedRight(right.state, 11)).toBe('listed');
    expect(guessedRight(right.do(guess).state, 11), 'taken back').toBeUndefined();
  });

  it('stays with an answer that is changed', () => {
    expect(guessed(answered().do(guess, choose('B')))).toEqual([11]);
  });
});
