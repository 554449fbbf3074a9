import { describe, expect, it } from 'vitest';
import { type ExamEvent, unansweredCount, unsentCount } from './exam-model.ts';
import { answer, broken, choose, go, sit, snapshot } from './session.test-kit.ts';

describe('changing an answer', () => {
  it('numbers a change above all that is known, also when the clock is behind', () => {
    const exam = sit({ lastSeq: 9000 }).do(choose('A', 5));
    expect(exam.asked('keep')[0]?.unsent.seq).toBe(9001);
  });

  it('does not save what is not changed or is empty', () => {
    const exam = sit({ answers: [answer(11, 'A', 3)] }).do(choose('A'), go(1), go(2), choose('A'), choose('A'), go(3));
    expect(exam.asked('save')).toEqual([]);
    expect(unsentCount(exam.state)).toBe(0);
  });

  it('takes a change off the disk that went back to what is saved', () => {
    const exam = sit({ answers: [answer(11, 'A', 3)] }).do(choose('B'), choose('A'), go(1));
    expect(exam.asked('forget')).toHaveLength(1);
    expect(exam.asked('save')).toEqual([]);
  });

  it('saves going back to the saved answer when another one may have arrived', () => {
    const exam = sit({ answers: [answer(11, 'A', 3)] }).do(choose('B'), { type: 'left' });
    const [sent] = exam.asked('save');
    exam.do(choose('A', 6000));
    if (sent) exam.do(broken(sent.unsent));
    exam.do(go(1));
    expect(exam.asked('save').map(({ unsent }) => unsent.answer)).toEqual(['A']);
  });

  it('an emptied answer still stands and comes back, 清除作答 says so to the server', () => {
    const exam = sit({ answers: [answer(13, 'A', 3)] }, [], 2).do(choose('A'));
    expect(exam.shown(13)).toBe('');
    expect(unansweredCount(exam.state)).toBe(4);
    exam.do(go(3), go(2));
    expect(exam.shown(13)).toBe('A');
    expect(exam.asked('save')).toEqual([]);
    exam.do({ type: 'cleared', now: 8000 });
    expect(exam.asked('save').map(({ unsent }) => unsent)).toEqual([{ questionId: 13, answer: '', seq: 8000 }]);
    expect(unansweredCount(exam.state)).toBe(5);
  });

  it('a text of blanks alone is empty', () => {
    const exam = sit({}, [], 3).do({ type: 'typed', text: ' \n', now: 1 }, go(2));
    expect(exam.asked('save')).toEqual([]);
    expect(unansweredCount(exam.state)).toBe(5);
  });

  it('清除作答 is sent also when this window knows of nothing saved: another device may have answered before', () => {
    const exam = sit().do(choose('A'), { type: 'cleared', now: 6000 });
    expect(exam.asked('save').map(({ unsent }) => unsent)).toEqual([{ questionId: 11, answer: '', seq: 6000 }]);
    exam.do(go(2), choose('A'), choose('A', 5001), { type: 'cleared', now: 7000 });
    expect(exam.asked('save').map(({ unsent }) => unsent)).toEqual([{ questionId: 13, answer: '', seq: 7000 }]);
  });

  it('清除作答 of a question that never had an answer here says nothing, also after a refresh', () => {
    const exam = sit({ answers: [answer(12, '', 3, { flag: 1 })] });
    exam.do({ type: 'refreshed', snapshot: snapshot({ answers: [answer(12, '', 3, { flag: 1 })] }), asked: 0 });
    exam.do({ type: 'cleared', now: 6000 }, go(1), { type: 'cleared', now: 6001 }, go(2));
    expect(exam.asked('save')).toEqual([]);
    expect(unsentCount(exam.state)).toBe(0);
  });

  it('going back to the saved answer is saved when one of the changes before it may have arrived', () => {
    const exam = sit({ answers: [answer(11, 'A', 3)] }).do(choose('B'), { type: 'left' });
    const [sent] = exam.asked('save');
    if (sent) exam.do(broken(sent.unsent));
    exam.do(choose('C', 6000), choose('A', 7000), { type: 'left' });
    expect(exam.asked('save').map(({ unsent }) => unsent)).toEqual([{ questionId: 11, answer: 'A', seq: 7000 }]);
  });
});

describe('choosing', () => {
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
    ['marking', [{ type: 'marked', mark: 'flag' }]],
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

  it('does not advance after an arrow key, which may be on its way to another option', () => {
    const exam = sit().do(choose('A'));
    exam.asked('wait');
    exam.do({ type: 'chosen', letter: 'B', now: 5001, stays: true });
    expect(exam.asked('wait').filter(({ event }) => event.type === 'advance')).toEqual([]);
    expect([...exam.state.answers.shown.values()]).toEqual(['B']);
    expect(exam.state.advancing).toBeNull();
  });

  it.each([{ type: 'struck' }, { type: 'striking', on: true }, { type: 'scratch', on: true }] as const)(
    'does not advance once the student weighs the options again ($type)',
    (weighs) => {
      const exam = sit().do(choose('A'));
      const [wait] = exam.asked('wait').filter(({ event }) => event.type === 'advance');
      exam.do(weighs);
      if (wait) exam.do(wait.event);
      expect([wait !== undefined, exam.state.current]).toEqual([true, 0]);
    },
  );

  it('does not advance from multiple choice or from the last question', () => {
    const many = sit({}, [], 2).do(choose('A'));
    const last = sit({}, [], 4).do(choose('A'));
    expect([...many.asked('wait'), ...last.asked('wait')].filter(({ event }) => event.type === 'advance')).toEqual([]);
  });

  it.each([
    ['saved', () => sit({ answers: [answer(11, 'A', 2)] })],
    ['not sent yet', () => sit().do(choose('A', 10))],
    ['judge', () => sit({ answers: [answer(12, 'A', 2)] }, [], 1)],
  ])('choosing the chosen option again moves on too, and changes and sends nothing (%s)', (_, open) => {
    const exam = open();
    const { current, answers } = exam.state;
    exam.asked('wait');
    exam.asked('keep');
    exam.do(choose('A', 20));
    expect(exam.state.answers).toBe(answers);
    expect([exam.asked('keep'), exam.asked('save')]).toEqual([[], []]);
    const waits = exam.asked('wait');
    expect(waits.map(({ ms, event }) => [ms, event.type])).toEqual([[500, 'advance']]);
    if (waits[0]) exam.do(waits[0].event);
    expect(exam.state.current).toBe(current + 1);
  });

  it.each([
    ['the switch is off', () => sit({ answers: [answer(11, 'A', 2)] }).do({ type: 'autoAdvance', on: false })],
    ['its key was shown', () => sit({ answers: [answer(11, 'A', 2, { showAnswerFlag: 1, state: 1 })] })],
    ['another window has the paper', () => sit({ answers: [answer(11, 'A', 2)], ownsWindow: false })],
    ['it is the last question', () => sit({ answers: [answer(15, 'A', 2)] }, [], 4)],
  ])('choosing again does nothing where %s', (_, open) => {
    expect(open().do(choose('A')).asked('wait')).toEqual([]);
  });

  it('multiple choice toggles and keeps the letters sorted', () => {
    expect(sit({}, [], 2).do(choose('C'), choose('A'), choose('B'), choose('A')).shown(13)).toBe('BC');
  });

  it('a letter that the question does not have is ignored', () => {
    expect(sit().do(choose('H')).shown(11)).toBe('');
  });
});
