import { expect, it } from 'vitest';
import type { Review, ReviewedQuestion } from '../paper.ts';
import { passes, reviewFilters, reviewLines, wrongFirst } from './review-order.ts';

const question = (questionId: number, state: number, answer: string, flag = 0): ReviewedQuestion => ({
  questionId,
  questionTypesId: 2,
  topic: '',
  options: {},
  score: 1,
  chapterId: 1,
  parentCaseStudyId: null,
  showAnswerFlag: 1,
  rightAnswer: 'A',
  answerAnalysis: '',
  points: [],
  ticks: [],
  accuracyRate: null,
  gradeMode: 'key',
  answer,
  state,
  flag,
  guess: 0,
  isSubmit: 1,
  myScore: null,
  judgeFlag: null,
  hidden: false,
  correction: null,
});
const lines = reviewLines({
  questions: [
    question(1, 1, 'A'),
    question(2, 0, ''),
    question(3, 2, 'B', 1),
    question(4, 4, '写了'),
    question(5, 3, 'AB'),
    { ...question(6, 2, 'C'), guess: 1 },
  ],
} as Review);

it('what is withheld while an exam with it is open is neither unanswered nor wrong', () => {
  const [line] = reviewLines({ questions: [{ ...question(1, 0, 'B'), hidden: true }] } as unknown as Review);
  expect(line?.verdict).toBe('hidden');
  expect(line && reviewFilters.filter((filter) => passes(filter, line))).toEqual(['all', 'hidden']);
});

it('puts wrong ones first and keeps the order of the paper within each kind', () => {
  expect(wrongFirst(lines).map(({ question }) => question.questionId)).toEqual([3, 6, 5, 4, 2, 1]);
});

it.each([
  ['all', [1, 2, 3, 4, 5, 6]],
  ['wrong', [3, 5, 6]],
  ['unanswered', [2]],
  ['pending', [4]],
  ['flagged', [3]],
  ['guessed', [6]],
] as const)('filter %s', (filter, ids) => {
  expect(lines.filter((line) => passes(filter, line)).map(({ question }) => question.questionId)).toEqual(ids);
});
