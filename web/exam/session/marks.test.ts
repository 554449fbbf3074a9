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
});
