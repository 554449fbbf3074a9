import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LeaveAfter } from '#contract/values/exam.ts';
import { afterEvidence, type Evidence, evidenceOf, hasReason, type WrongQuestion } from './wrong.ts';

/** The list after answers of an exam, one a millisecond. */
function listAfter(evidence: readonly Evidence[], leaveAfter: LeaveAfter, stored: WrongQuestion | null = null) {
  return evidence.reduce<WrongQuestion | null>(
    (question, evidence, at) => afterEvidence(question, { evidence, at, examId: 7 }, leaveAfter),
    stored,
  );
}

describe('what an answer says of its question', () => {
  it.each([
    [0, false, null],
    [0, true, null],
    [1, false, 'right'],
    [1, true, 'guessed'],
    [2, false, 'wrong'],
    [2, true, 'wrong'],
    [3, false, 'wrong'],
    [4, false, null],
    [5, false, null],
    [5, true, null],
  ] as const)('graded %s, a guess: %s → %s', (state, guess, evidence) => {
    expect(evidenceOf(state, guess)).toBe(evidence);
  });
});

describe('the wrong-question list', () => {
  it.each<[string, Evidence[], LeaveAfter, Partial<WrongQuestion> | null]>([
    ['a right answer brings nothing in', ['right'], 2, null],
    ['a mistake does', ['wrong'], 2, { state: 'in', timesWrong: 1, rightStreak: 0, guessed: false }],
    ['so does a guess, though right', ['guessed'], 2, { state: 'in', timesWrong: 0, guessed: true }],
    ['one right answer of two does not bring it out', ['wrong', 'right'], 2, { state: 'in', rightStreak: 1 }],
    ['two in a row do', ['wrong', 'right', 'right'], 2, { state: 'left', rightStreak: 2 }],
    ['not in a row do not', ['wrong', 'right', 'wrong', 'right'], 2, { state: 'in', rightStreak: 1, timesWrong: 2 }],
    ['a guess breaks the row', ['wrong', 'right', 'guessed', 'right'], 2, { state: 'in', rightStreak: 1 }],
    ['one is enough where the student says so', ['wrong', 'right'], 1, { state: 'left' }],
    ['three', ['wrong', 'right', 'right'], 3, { state: 'in' }],
    ['only by hand', ['wrong', 'right', 'right', 'right', 'right'], 0, { state: 'in', rightStreak: 4 }],
    ['wrong again brings it back', ['wrong', 'right', 'wrong'], 1, { state: 'in', timesWrong: 2, rightStreak: 0 }],
    ['a mistake after a guess counts as a mistake', ['guessed', 'wrong'], 2, { guessed: false, timesWrong: 1 }],
    ['a mistake taken back takes it out', ['wrong', 'notWrong'], 2, { state: 'left', timesWrong: 0 }],
    ['one of two does not', ['wrong', 'wrong', 'notWrong'], 2, { state: 'in', timesWrong: 1 }],
    ['a guess taken back takes it out', ['guessed', 'notGuessed'], 2, { state: 'left', guessed: false }],
    ['unless it was wrong before', ['wrong', 'guessed', 'notGuessed'], 2, { state: 'in', timesWrong: 1 }],
    ['what was never there is not taken back', ['notWrong', 'notGuessed'], 2, null],
  ])('%s', (_, evidence, leaveAfter, expected) => {
    const question = listAfter(evidence, leaveAfter);
    if (expected === null) expect(question).toBeNull();
    else expect(question).toMatchObject(expected);
  });

  it.each<[Evidence[], boolean]>([
    [['wrong', 'right', 'right'], true],
    [['guessed'], true],
    [['wrong', 'notWrong'], false],
    [['guessed', 'notGuessed'], false],
    [['wrong', 'guessed', 'notGuessed'], true],
  ])('%j has a reason: %s', (evidence, reason) => {
    const question = listAfter(evidence, 2);
    expect(question && hasReason(question)).toBe(reason);
  });

  it('what the student removed comes back by a mistake alone', () => {
    const removed: WrongQuestion = {
      state: 'removed',
      timesWrong: 1,
      rightStreak: 0,
      guessed: false,
      examId: 7,
      firstAt: 0,
      lastAt: 0,
    };
    expect(listAfter(['right', 'right'], 2, removed)?.state).toBe('removed');
    expect(listAfter(['notWrong'], 2, removed)?.state).toBe('removed');
    expect(listAfter(['guessed'], 2, removed)?.state).toBe('removed');
    expect(listAfter(['wrong'], 2, removed)?.state).toBe('in');
  });

  it('what is graded late, of an earlier answer, does not move the last mistake back', () => {
    const now = afterEvidence(null, { evidence: 'wrong', at: 9, examId: 7 }, 2);
    for (const evidence of ['wrong', 'guessed'] as const)
      expect(afterEvidence(now, { evidence, at: 4, examId: 7 }, 2)).toMatchObject({ firstAt: 9, lastAt: 9 });
  });

  it('own practice keeps the exam where the mistake was made', () => {
    const made = afterEvidence(null, { evidence: 'wrong', at: 1, examId: 7 }, 2);
    expect(afterEvidence(made, { evidence: 'wrong', at: 2, examId: null }, 2)?.examId).toBe(7);
    expect(afterEvidence(null, { evidence: 'wrong', at: 2, examId: null }, 2)?.examId).toBeNull();
  });

  it('after any answers: counts are never negative, times in order, and the last mistake stands in the list', () => {
    const evidence = fc.array(fc.constantFrom<Evidence[]>('wrong', 'guessed', 'right', 'notWrong', 'notGuessed'));
    fc.assert(
      fc.property(evidence, fc.constantFrom<LeaveAfter[]>(0, 1, 2, 3), (given, leaveAfter) => {
        const question = listAfter(given, leaveAfter);
        if (question === null) return !given.includes('wrong') && !given.includes('guessed');
        const sound = question.timesWrong >= 0 && question.rightStreak >= 0 && question.firstAt <= question.lastAt;
        const last = given.at(-1);
        return sound && ((last !== 'wrong' && last !== 'guessed') || question.state === 'in');
      }),
    );
  });
});
