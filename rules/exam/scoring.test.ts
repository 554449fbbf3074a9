import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GradeMode } from '#contract/values/exam.ts';
import type { QuestionType } from './answer.ts';
import { addPoints, type Graded, gradeAnswer, percentOf, pointsOf, scoreSelf, tally } from './scoring.ts';

describe('gradeAnswer', () => {
  it.each<[string, QuestionType, string, string | null, number | null, Partial<Graded>]>([
    ['judge right', 1, 'A', 'A', null, { state: 1, earned: 3 }],
    ['judge wrong', 1, 'A', 'B', 0.5, { state: 2, earned: 0 }],
    ['single right', 2, 'C', 'C', null, { state: 1, earned: 3 }],
    ['single wrong', 2, 'C', 'D', null, { state: 2, earned: 0 }],
    ['unanswered', 2, 'C', null, null, { state: 0, earned: 0 }],
    ['cleared', 2, 'C', '', null, { state: 0, earned: 0 }],
    ['multiple exact', 3, 'ABD', 'ABD', 0.5, { state: 1, earned: 3 }],
    ['a part, without the partial rule', 3, 'ABD', 'AB', null, { state: 2, earned: 0 }],
    ['a part, with half the points', 3, 'ABD', 'AB', 0.5, { state: 3, earned: 1.5 }],
    ['a part, rounded down to half points', 3, 'ABD', 'A', 0.4, { state: 3, earned: 1 }],
    ['a part with a wrong letter', 3, 'ABD', 'ABC', 0.5, { state: 2, earned: 0 }],
    ['more than the right letters', 3, 'ABD', 'ABCD', 0.5, { state: 2, earned: 0 }],
    ['indefinite with one right letter', 5, 'B', 'B', 0.5, { state: 1, earned: 3 }],
    ['indefinite, a part', 5, 'BC', 'C', 0.5, { state: 3, earned: 1.5 }],
    ['a single choice earns no part', 2, 'AB', 'A', 0.5, { state: 2, earned: 0 }],
    ['text waits', 4, '参考', '我的', null, { state: 4, earned: null }],
    ['text that equals the reference still waits', 8, '参考', '参考', null, { state: 4, earned: null }],
    ['no text', 8, '参考', '', null, { state: 0, earned: 0 }],
  ])('%s', (_, type, right, answer, share, expected) => {
    expect(gradeAnswer({ type, right, score: 3 }, answer, share)).toMatchObject(expected);
  });

  it.each<[GradeMode, string | null, Partial<Graded>]>([
    ['all', 'A', { state: 1, earned: 3 }],
    ['all', null, { state: 0, earned: 3 }],
    ['void', 'C', { state: 5, earned: 0 }],
    ['void', 'A', { state: 5, earned: 0 }],
    ['void', null, { state: 5, earned: 0 }],
  ])('graded as %s, answered %s', (gradeMode, answer, expected) => {
    for (const type of [2, 4] as const)
      expect(gradeAnswer({ type, right: 'C', score: 3, gradeMode }, answer, null)).toMatchObject(expected);
    expect(pointsOf(gradeMode, 3)).toBe(gradeMode === 'void' ? 0 : 3);
  });

  it('loses no half point to a binary fraction', () => {
    // 45 * 0.7 is 31.499999999999996.
    expect(gradeAnswer({ type: 3, right: 'ABD', score: 45 }, 'A', 0.7)).toMatchObject({ state: 3, earned: 31.5 });
  });

  const letters = fc.subarray([...'ABCDEF'], { minLength: 1 }).map((some) => some.join(''));
  it('earns between nothing and all, all only when exact, nothing with a wrong letter', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<QuestionType>(3, 5),
        letters,
        letters,
        fc.integer({ min: 1, max: 200 }).map((halves) => halves / 2),
        fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null }),
        (type, right, answer, score, share) => {
          const { state, earned } = gradeAnswer({ type, right, score }, answer, share);
          expect(earned).toBeGreaterThanOrEqual(0);
          expect(earned).toBeLessThanOrEqual(score);
          expect(Number.isInteger((earned ?? 0) * 2)).toBe(true);
          expect(state === 1).toBe(answer === right);
          if ([...answer].some((letter) => !right.includes(letter))) expect(earned).toBe(0);
        },
      ),
    );
  });
});

describe('scoreSelf', () => {
  it.each<[string, QuestionType, number, 1 | 2 | undefined, Graded | string]>([
    ['all points', 4, 6, undefined, { state: 1, earned: 6, judgeFlag: null }],
    ['no points', 4, 0, undefined, { state: 2, earned: 0, judgeFlag: null }],
    ['some points', 4, 2.5, undefined, { state: 3, earned: 2.5, judgeFlag: null }],
    ['type 8 right', 8, 5, 1, { state: 1, earned: 5, judgeFlag: 1 }],
    ['type 8 wrong', 8, 5, 2, { state: 2, earned: 5, judgeFlag: 2 }],
    ['type 8 does not say, all points', 8, 6, undefined, { state: 1, earned: 6, judgeFlag: 1 }],
    ['type 8 does not say, some points', 8, 5.5, undefined, { state: 2, earned: 5.5, judgeFlag: 2 }],
    ['more than the question has', 4, 6.5, undefined, 'scoreOutOfRange'],
    ['less than nothing', 8, -0.5, 1, 'scoreOutOfRange'],
    ['no number', 4, Number.NaN, undefined, 'scoreOutOfRange'],
    ['a choice question', 3, 1, undefined, 'notSelfScored'],
  ])('%s', (_, type, myScore, judgeFlag, expected) => {
    const scored = scoreSelf({ type, score: 6 }, myScore, judgeFlag);
    expect(scored.ok ? scored.graded : scored.why).toEqual(expected);
  });
});

describe('tally', () => {
  it('counts each question once', () => {
    expect(
      tally([
        { state: 1, earned: 2 },
        { state: 2, earned: 0 },
        { state: 3, earned: 0.5 },
        { state: 0, earned: 0 },
        { state: 4, earned: null },
      ]),
    ).toEqual({ score: 2.5, rightCount: 1, wrongCount: 2, unansweredCount: 1, pendingCount: 1 });
  });

  it('adds half points without drift, however many there are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 500 }), (halves) => {
        const sum = halves.reduce((all, half) => all + half, 0) / 2;
        expect(addPoints(halves.map((half) => half / 2))).toBe(sum);
      }),
    );
    expect(addPoints(Array.from({ length: 1000 }, () => 0.1))).toBe(100);
  });
});

it.each([
  [0, 100, 0],
  [59.9, 100, 59],
  [60, 100, 60],
  [89.5, 100, 89],
  [100, 100, 100],
  [29, 50, 58],
  [1.1, 1.1, 100],
  [0, 0, 0],
])('%d of %d is %d percent', (score, total, percent) => {
  expect(percentOf(score, total)).toBe(percent);
});

it('a void question is in no count of a record, whether it was answered or not', () => {
  expect(
    tally([
      { state: 1, earned: 2 },
      { state: 5, earned: 0 },
      { state: 5, earned: 0 },
    ]),
  ).toEqual({ score: 2, rightCount: 1, wrongCount: 0, unansweredCount: 0, pendingCount: 0 });
});
