import { isAnswered, isSelfScored, normalAnswer } from './answer.ts';
import { gradeAnswer, type Key } from './scoring.ts';
import type { WrongQuestion } from './wrong.ts';

/** What a student says of one question that they review (`save_review`). */
interface Said {
  /** As it was sent: letters or a text. */
  answer?: string | undefined;
  /** 1 knew it · 2 did not. */
  judgeFlag?: 1 | 2 | undefined;
}

/**
 * What reviewing one question came to: 0 nothing was said · 1 right · 2 wrong · 3 partly right · 5 void; null: it cannot be an answer to the
 * question. Letters are graded; of a text, and without an answer, the student's word counts, which is that they knew it where the payload has the question alone
 * (spec §7). An answer that is sent empty says nothing by itself. Where everybody gets the points (全员得分) nothing is a mistake.
 */
export function reviewOutcome(
  question: Key & { letters: string },
  { answer, judgeFlag }: Said,
): 0 | 1 | 2 | 3 | 5 | null {
  if (question.gradeMode === 'void') return 5;
  const byAll = question.gradeMode === 'all';
  const judged = judgeFlag === 2 ? (byAll ? 0 : 2) : 1;
  if (answer === undefined) return judged;
  const normal = normalAnswer(question.type, question.letters, answer);
  if (!normal.ok) return null;
  if (!isAnswered(normal.answer)) return judgeFlag === undefined ? 0 : judged;
  if (isSelfScored(question.type)) return judged;
  const { state } = gradeAnswer(question, normal.answer, null);
  return state === 1 || state === 3 ? state : 2;
}

/** A review as it was noted last. */
export interface NotedReview {
  /** China's day (schedule.ts `dayOf`). */
  day: number;
  said: 'right' | 'wrong';
  /** Epoch milliseconds. */
  at: number;
}

/**
 * Whether a review is one of its own, and not the last one sent again (a request that was repeated, a second press): another day or outcome, a mistake or guess
 * since, or a list that no longer shows what was said, because the question left it, was removed or restored meanwhile.
 * @param last null: it was never reviewed
 * @param listed how it stands in the wrong-question list; null: it is not there
 */
export function isNewReview(
  last: NotedReview | null,
  now: Pick<NotedReview, 'day' | 'said'>,
  listed: Pick<WrongQuestion, 'state' | 'rightStreak' | 'lastAt'> | null,
): boolean {
  if (last === null || last.day !== now.day || last.said !== now.said) return true;
  if (listed === null) return false;
  if (last.at < listed.lastAt) return true;
  return now.said === 'wrong' ? listed.state !== 'in' || listed.rightStreak > 0 : listed.rightStreak === 0;
}
