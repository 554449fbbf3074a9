import { describe, expect, it } from 'vitest';
import type { ExamKind } from '#contract/values/exam.ts';
import {
  examModeOf,
  isWithheld,
  type KeyFacts,
  mayDraw,
  mayReveal,
  maySeeKey,
  visibleTally,
  withheldSince,
  withoutKey,
} from './reveal.ts';

it.each<[ExamKind, 1 | -1, boolean]>([
  ['chapter', -1, true],
  ['afterclass', -1, true],
  ['mock', 1, false],
  ['past', 1, false],
  ['timed', 1, false],
])('%s has mode %i; open, it reveals: %s', (kind, mode, reveals) => {
  expect(examModeOf(kind)).toBe(mode);
  expect(mayReveal({ kind, submittedAt: null })).toBe(reveals);
  expect(mayReveal({ kind, submittedAt: 1 })).toBe(true);
});

const yes: KeyFacts = { packOpens: true, inOpenExam: false, practised: true, seen: true };
it.each<[string, Partial<KeyFacts>, { see: boolean; draw: boolean }]>([
  ['practised and seen', {}, { see: true, draw: true }],
  ['practised, never met', { seen: false }, { see: true, draw: true }],
  ['seen in an own record, in no practice', { practised: false }, { see: true, draw: true }],
  ['in papers never begun alone', { practised: false, seen: false }, { see: false, draw: false }],
  ['sat right now', { inOpenExam: true }, { see: false, draw: true }],
  ['sat right now for the first time', { inOpenExam: true, practised: false, seen: false }, { see: false, draw: true }],
  ['after the enrolment', { packOpens: false }, { see: false, draw: true }],
])('the key of a question outside of records: %s', (_, facts, { see, draw }) => {
  expect(maySeeKey({ ...yes, ...facts })).toBe(see);
  expect(mayDraw({ ...yes, ...facts })).toBe(draw);
});

it('withoutKey leaves nothing of the key, nor a field that a later day may add', () => {
  const keyed = {
    questionId: 1,
    questionTypesId: 2,
    topic: 'x',
    options: { A: 'a' },
    score: 1,
    chapterId: 2,
    parentCaseStudyId: null,
    showAnswerFlag: 1,
    rightAnswer: 'A',
    answerAnalysis: 'why',
    accuracyRate: 0.5,
    hint: 'A',
  } as const;
  expect(withoutKey(keyed)).toEqual({
    questionId: 1,
    questionTypesId: 2,
    topic: 'x',
    options: { A: 'a' },
    score: 1,
    chapterId: 2,
    parentCaseStudyId: null,
    showAnswerFlag: 0,
  });
});

describe('the tally while a scored exam with the same questions is open', () => {
  const graded = new Map([
    [1, { state: 1 as const, earned: 2 }],
    [2, { state: 2 as const, earned: 0 }],
    [3, { state: 1 as const, earned: 2 }],
  ]);
  it.each([
    ['none is open', new Map<number, number>(), 500, { score: 4, rightCount: 2, wrongCount: 1, hiddenCount: 0 }],
    [
      'graded after it began',
      new Map([
        [1, 400],
        [2, 400],
      ]),
      500,
      { score: 2, rightCount: 1, wrongCount: 0, hiddenCount: 2 },
    ],
    [
      'graded well before it began',
      new Map([[1, 2501]]),
      500,
      { score: 4, rightCount: 2, wrongCount: 1, hiddenCount: 0 },
    ],
    ['in the same millisecond', new Map([[1, 500]]), 500, { score: 2, rightCount: 1, wrongCount: 1, hiddenCount: 1 }],
    [
      'before it began by less than two servers may differ',
      new Map([[1, 2500]]),
      500,
      { score: 2, rightCount: 1, wrongCount: 1, hiddenCount: 1 },
    ],
  ])('%s', (_, inOpenExam, submittedAt, expected) => {
    expect(visibleTally(graded, submittedAt, inOpenExam)).toMatchObject(expected);
  });

  it('isWithheld asks for the question itself', () => {
    expect(isWithheld(7, 500, new Map([[8, 0]]))).toBe(false);
  });

  it('withheldSince is the first moment at which isWithheld is true of any question', () => {
    const inOpenExam = new Map([
      [1, 9000],
      [2, 5000],
      [3, 7000],
    ]);
    const since = withheldSince(inOpenExam);
    expect(since).toBe(3000);
    expect([since - 1, since].map((until) => [1, 2, 3].some((id) => isWithheld(id, until, inOpenExam)))).toEqual([
      false,
      true,
    ]);
    expect(withheldSince(new Map())).toBe(Number.POSITIVE_INFINITY);
  });
});
