import type { LeaveAfter, WrongState } from '#contract/values/exam.ts';
import type { Graded } from './scoring.ts';

/** How a question stands in a student's wrong-question list (错题本). Times are epoch milliseconds. */
export interface WrongQuestion {
  state: WrongState;
  timesWrong: number;
  /** Right answers since the last mistake or guess. */
  rightStreak: number;
  /** It stands there for a guess, and no mistake came after it. */
  guessed: boolean;
  /** The exam of the newest mistake; null: it was made in own practice only. */
  examId: number | null;
  firstAt: number;
  /** Of the newest mistake or guess. */
  lastAt: number;
}

/**
 * What an answer says of its question: wrong · right by luck (the student marked it 蒙的) · right. `notWrong`, `notGuessed`:
 * a mistake or a guess is taken back, because its record was opened again, its own score or its mark was changed.
 */
export type Evidence = 'wrong' | 'guessed' | 'right' | 'notWrong' | 'notGuessed';

/**
 * What a graded answer says of its question; null: nothing, since it is unanswered, waits for its score
 * or is void. Partly right is wrong.
 */
export function evidenceOf(state: Graded['state'], guess: boolean): 'wrong' | 'guessed' | 'right' | null {
  if (state === 0 || state === 4 || state === 5) return null;
  if (state !== 1) return 'wrong';
  return guess ? 'guessed' : 'right';
}

/**
 * The list after one more answer (decisions §3: wrong answers enter at submission, in practice as soon as the answer is
 * shown). A mistake brings a question in, or back. So many right answers in a row as `leaveAfter` says, and it leaves; with
 * 0 it only leaves by hand. What was removed by hand comes back by a mistake alone.
 * @param stored how it stands; null: it was never there
 * @param answer.examId where the answer was given; null: in own practice, which keeps the exam where the mistake was made
 * @returns how it stands now; null: it is not there, and never was
 */
export function afterEvidence(
  stored: WrongQuestion | null,
  answer: { evidence: Evidence; at: number; examId: number | null },
  leaveAfter: LeaveAfter,
): WrongQuestion | null {
  const { evidence, at } = answer;
  const examId = answer.examId ?? stored?.examId ?? null;
  const firstAt = stored?.firstAt ?? at;
  const lastAt = Math.max(stored?.lastAt ?? at, at);
  const timesWrong = stored?.timesWrong ?? 0;
  switch (evidence) {
    case 'wrong':
      return { state: 'in', timesWrong: timesWrong + 1, rightStreak: 0, guessed: false, examId, firstAt, lastAt };
    case 'guessed':
      return {
        // Removed by hand, and right once more.
        state: stored?.state === 'removed' ? 'removed' : 'in',
        timesWrong,
        rightStreak: 0,
        guessed: true,
        examId,
        firstAt,
        lastAt,
      };
    case 'right': {
      if (stored === null) return null;
      const rightStreak = stored.rightStreak + 1;
      const leaves = stored.state === 'in' && leaveAfter > 0 && rightStreak >= leaveAfter;
      return { ...stored, rightStreak, state: leaves ? 'left' : stored.state };
    }
    case 'notWrong':
      return stored && withoutReason({ ...stored, timesWrong: Math.max(0, timesWrong - 1) });
    case 'notGuessed':
      return stored && withoutReason({ ...stored, guessed: false });
  }
}

/** What was taken back leaves the list where it was the only reason to stand in it. */
function withoutReason(question: WrongQuestion): WrongQuestion {
  return hasReason(question) || question.state !== 'in' ? question : { ...question, state: 'left' };
}

/** Whether a question was ever wrong, or is a guess. One without a reason is in no list, no count and no review. */
export function hasReason({ timesWrong, guessed }: Pick<WrongQuestion, 'timesWrong' | 'guessed'>): boolean {
  return timesWrong > 0 || guessed;
}
