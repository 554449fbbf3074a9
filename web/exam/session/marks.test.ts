import { describe, expect, it } from 'vitest';
import { fail, sit } from './session.test-kit.ts';

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
    expect([late.state.over, late.state.flags.size, late.toasts()]).toEqual([true, 0, ['refused']]);
  });

  it('a newer one of the question decides, whatever becomes of the older', () => {
    const exam = sit().do({ type: 'flagged' }, { type: 'flagged' });
    exam.do({ type: 'flagFailed', questionId: 11, flag: true, failure: fail('notFound') });
    expect([...exam.state.flagsUnsent]).toEqual([[11, false]]);
    expect(exam.toasts()).toEqual([]);
  });
});
