import { type Card, dayOf, inLastWeek, type Rating, type ReviewDay } from './schedule.ts';
import type { Evidence } from './wrong.ts';

/** A question of the same knowledge point that is not under review itself. */
export interface Sibling {
  questionId: number;
  /** When the student last saved an answer to it; null: never. Epoch milliseconds. */
  answeredAt: number | null;
}

/**
 * Which questions of today's set another one of the same knowledge point stands for (decision 027), so that not the same question comes
 * each time. Every second review of a card is one of its own question: who knows the point but not this question would else never be
 * found out. In the last week before the exam it is always its own. Of several siblings the one that was never answered comes, else the
 * one answered longest ago; none comes twice.
 * @param siblingsOf questions of the same knowledge point that may be asked; those in the set are passed over
 * @returns the question that is asked, by the one whose card is due
 */
export function standInsOf(
  set: readonly { questionId: number; card: Card }[],
  siblingsOf: (questionId: number) => readonly Sibling[],
  day: Pick<ReviewDay, 'now' | 'examDay'>,
): Map<number, number> {
  const chosen = new Map<number, number>();
  if (inLastWeek(day.examDay, dayOf(day.now))) return chosen;
  const taken = new Set(set.map(({ questionId }) => questionId));
  for (const { questionId, card } of set) {
    if (card.reps % 2 === 0) continue;
    const [first] = siblingsOf(questionId)
      .filter((sibling) => !taken.has(sibling.questionId))
      .sort((a, b) => (a.answeredAt ?? -1) - (b.answeredAt ?? -1) || a.questionId - b.questionId);
    if (first === undefined) continue;
    taken.add(first.questionId);
    chosen.set(questionId, first.questionId);
  }
  return chosen;
}

/**
 * What an answer to a question that stands for another says to the card of that other one: right is a review of the point, by luck a
 * hard one. A mistake is none: the card stays due, since its own question was not asked, and the one that was asked comes in by itself.
 */
export function standInRating(evidence: Evidence): Rating | null {
  if (evidence === 'right') return 'good';
  return evidence === 'guessed' ? 'hard' : null;
}
