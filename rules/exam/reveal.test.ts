import { expect, it } from 'vitest';
import type { ExamKind } from '#contract/values/exam.ts';
import { examModeOf, isMadeWithout, type KeyFacts, mayDraw, mayReveal, maySeeKey, withoutKey } from './reveal.ts';

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

it.each<[string, { sat: number[]; without: number[]; is: boolean }]>([
  ['nothing is sat', { sat: [], without: [], is: true }],
  ['what is sat was sat then', { sat: [1, 2], without: [2, 1, 3], is: true }],
  ['one of what is sat was not', { sat: [1, 2], without: [1], is: false }],
  ['made while nothing was sat', { sat: [1], without: [], is: false }],
  ['the exam is over', { sat: [], without: [1], is: true }],
])('what was made out of grades: %s', (_, { sat, without, is }) => {
  expect(isMadeWithout(sat, without)).toBe(is);
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
