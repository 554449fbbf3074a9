import { describe, expect, it } from 'vitest';
import { answer, fail, paper, sit, snapshot } from './session.test-kit.ts';
import { openExam } from './snapshot.ts';

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

  it('is taken back with the reason when the server will never take it, which confirms nothing', () => {
    const exam = sit().do({ type: 'flagged' });
    const { confirmed } = exam.state;
    exam.do({ type: 'flagFailed', questionId: 11, flag: true, failure: fail('notFound') }, { type: 'online' });
    expect([...exam.state.flags, ...exam.state.flagsUnsent]).toEqual([]);
    expect(exam.toasts()).toEqual(['refused']);
    expect(exam.asked('flag'), 'and is not sent again').toHaveLength(1);
    expect(exam.state.confirmed).toBe(confirmed);
  });

  it('is taken back with what refuses the whole record, which says so by itself', () => {
    const exam = sit().do({ type: 'flagged' });
    exam.do({ type: 'flagFailed', questionId: 11, flag: true, failure: fail('takenOver') });
    expect([exam.state.phase, exam.state.flags.size, exam.toasts()]).toEqual(['takenOver', 0, []]);
    const late = sit({ kind: 'mock' }).do({ type: 'flagged' });
    late.do({ type: 'flagFailed', questionId: 11, flag: true, failure: fail('tooLate') });
    expect([late.state.over, late.state.flags.size, late.toasts()]).toEqual([
      true,
      0,
      ['考试时间已到，这个标记没有保存'],
    ]);
  });

  it('a newer one of the question decides, whatever becomes of the older', () => {
    const exam = sit().do({ type: 'flagged' }, { type: 'flagged' });
    exam.do({ type: 'flagFailed', questionId: 11, flag: true, failure: fail('notFound') });
    expect([...exam.state.flagsUnsent]).toEqual([[11, false]]);
    expect(exam.toasts()).toEqual([]);
  });

  it('what a reload found unsent is shown, and sent once more', () => {
    const step = openExam(paper, snapshot({ answers: [answer(12, '', 0, { flag: 1 })] }), [], {
      index: 0,
      autoAdvance: true,
      online: true,
      marks: new Map([
        [11, true],
        [12, false],
        [99, true],
      ]),
    });
    expect([...step.state.flags]).toEqual([11]);
    expect(step.requests.filter((request) => request.do === 'flag')).toEqual([
      { do: 'flag', questionId: 11, flag: true },
      { do: 'flag', questionId: 12, flag: false },
    ]);
  });
});
