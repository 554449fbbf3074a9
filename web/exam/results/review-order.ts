import type { Review, ReviewedQuestion } from '../paper.ts';
import { type Verdict, verdictOf } from '../question/verdict.ts';

/** A question of a handed-in paper with its place and what became of it. */
export interface ReviewLine {
  index: number;
  question: ReviewedQuestion;
  verdict: Verdict;
}

/** All questions of a handed-in paper in its order. */
export function reviewLines(review: Review): ReviewLine[] {
  return review.questions.map((question, index) => ({
    index,
    question,
    // Withheld while an exam with it is open: its state says nothing then.
    verdict: question.hidden ? 'hidden' : verdictOf(question.state, question.answer),
  }));
}

const worst: readonly Verdict[] = ['wrong', 'partly', 'pending', 'unanswered', 'hidden', 'void', 'right'];

/** Wrong ones first (design language, Result), in the order of the paper within each kind. */
export function wrongFirst(lines: readonly ReviewLine[]): ReviewLine[] {
  return [...lines].sort((a, b) => worst.indexOf(a.verdict) - worst.indexOf(b.verdict) || a.index - b.index);
}

export type ReviewFilter = 'all' | 'wrong' | 'unanswered' | 'pending' | 'hidden' | 'flagged' | 'guessed';
export const reviewFilters: readonly ReviewFilter[] = [
  'all',
  'wrong',
  'unanswered',
  'pending',
  'hidden',
  'flagged',
  'guessed',
];

/** Whether a question is shown under a filter; partly right counts as wrong. */
export function passes(filter: ReviewFilter, { verdict, question }: ReviewLine): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'wrong':
      return verdict === 'wrong' || verdict === 'partly';
    case 'flagged':
      return question.flag === 1;
    case 'guessed':
      return question.guess === 1;
    default:
      return verdict === filter;
  }
}
