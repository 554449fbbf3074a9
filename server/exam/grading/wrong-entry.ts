import type { WrongState } from '#contract/values/exam.ts';
import type { Card, Rating } from '#rules/exam/schedule.ts';
import type { WrongQuestion } from '#rules/exam/wrong.ts';

/** A row of `wrong_questions`, as its stores read it. */
export interface WrongRow {
  question_id: number;
  state: WrongState;
  times_wrong: number;
  right_streak: number;
  guessed: number;
  exam_id: number | null;
  first_at: number;
  last_at: number;
}

/** How a question stands in the list, from its row. */
export function wrongQuestionFrom(row: WrongRow): WrongQuestion {
  return {
    state: row.state,
    timesWrong: row.times_wrong,
    rightStreak: row.right_streak,
    guessed: row.guessed === 1,
    examId: row.exam_id,
    firstAt: row.first_at,
    lastAt: row.last_at,
  };
}

/** An entry of a wrong-question list. */
export interface WrongEntry extends WrongQuestion {
  questionId: number;
}

/** Which entries of a student's list are meant. */
export interface WrongListFilter {
  packId: number;
  state: WrongState;
  chapterIds?: readonly number[] | undefined;
  questionTypesId?: number | undefined;
  examId?: number | undefined;
  /** At least so often. */
  timesWrong?: number | undefined;
  /** Only lucky guesses. */
  guessed?: boolean | undefined;
  /** Epoch milliseconds of the newest mistake, at least. */
  since?: number | undefined;
}

/** How many entries of a pack are alike in all of these. */
export interface WrongFacet {
  state: WrongState;
  chapterId: number;
  questionTypesId: number;
  examId: number | null;
  /** 3 stands for three and more. */
  timesWrong: number;
  guessed: boolean;
  count: number;
}

/** Questions under review that stand alike, by days of China (rules/exam/schedule.ts). */
export interface StudiedGroup {
  packId: number;
  count: number;
  /** Null: no answer has been graded since they came in. */
  card: { dueDay: number; lastDay: number; reviewed: boolean } | null;
  cameIn: { rating: Rating; day: number };
}

/** A question that a student reviews, with how it came in. */
export interface StudiedQuestion {
  questionId: number;
  packId: number;
  /** Null: no answer has been graded since it came in. */
  card: Card | null;
  cameIn: { rating: Rating; at: number };
}
