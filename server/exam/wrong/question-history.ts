import type { DataOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { QuestionHistory } from '#contract/exam-wrong.ts';
import { findQuestionPlace } from '../paper/content-store.ts';
import type { ExamParts } from '../parts.ts';

/** Answers that the history of a question shows. */
const MOST_ANSWERS = 50;

/** Every time a student answered a question in a record that is over, newest first. */
export async function readQuestionHistory(
  { db, gradesFor }: ExamParts,
  userId: number,
  questionId: number,
): Promise<{ ok: true; list: DataOf<typeof QuestionHistory>['list'] } | { ok: false; why: Why }> {
  if (!(await findQuestionPlace(db.query, questionId))) return { ok: false, why: 'notFound' };
  const answers = await gradesFor(db.query, userId).historyOf(questionId, MOST_ANSWERS);
  if (answers === null) return { ok: false, why: 'keyHidden' };
  const list = answers.map(({ graded, ...answer }) => ({
    ...answer,
    state: graded?.state ?? 0,
    myScore: graded?.earned ?? null,
  }));
  return { ok: true, list };
}
