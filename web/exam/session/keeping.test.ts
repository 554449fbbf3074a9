import { describe, expect, it } from 'vitest';
import { keptCount, unkeptCount } from './exam-model.ts';
import { choose, saved, sit } from './session.test-kit.ts';

const told = (kept: boolean, seq = 5000, questionId = 11) => ({ type: 'kept', questionId, seq, kept }) as const;
const counts = (exam: ReturnType<typeof sit>) => [keptCount(exam.state), unkeptCount(exam.state)];

describe('what this browser keeps', () => {
  it('is what was read back: until the disk has said so, nothing', () => {
    const exam = sit().do(choose('A'));
    expect(counts(exam)).toEqual([0, 0]);
    exam.do(told(true));
    expect(counts(exam)).toEqual([1, 0]);
  });

  it('says what it could not keep, and puts it on the disk again until it is there', () => {
    const exam = sit().do(choose('A'));
    exam.asked('keep');
    exam.asked('wait');
    exam.do(told(false));
    expect(counts(exam)).toEqual([0, 1]);
    expect(exam.asked('wait')).toMatchObject([{ ms: 5000, event: { type: 'keepAgain' } }]);
    for (let round = 0; round < 3; round++) {
      exam.do({ type: 'keepAgain' });
      expect(exam.asked('keep')).toEqual([{ do: 'keep', unsent: { questionId: 11, answer: 'A', seq: 5000 } }]);
      expect(exam.asked('wait')).toHaveLength(1);
      exam.do(told(false));
      expect(exam.asked('wait'), 'one timer, not two').toEqual([]);
    }
    exam.do(told(true), { type: 'keepAgain' });
    expect([counts(exam), exam.asked('keep'), exam.asked('wait')]).toEqual([[1, 0], [], []]);
  });

  it('of a newer change nothing is known from the older one', () => {
    const exam = sit().do(choose('A'), choose('B', 6000), told(true));
    expect(counts(exam)).toEqual([0, 0]);
    exam.do(told(true, 6000));
    expect(counts(exam)).toEqual([1, 0]);
  });

  it('once the server has it, nobody asks for it', () => {
    const exam = sit().do(choose('A'), told(false), { type: 'left' });
    exam.do(saved({ questionId: 11, answer: 'A', seq: 5000 }));
    exam.asked('keep');
    exam.do({ type: 'keepAgain' });
    expect([counts(exam), exam.asked('keep')]).toEqual([[0, 0], []]);
    exam.do(choose('B', 7000), told(false, 7000));
    expect(exam.asked('wait').filter(({ event }) => event.type === 'keepAgain').length, 'begins anew').toBeGreaterThan(
      0,
    );
  });
});
