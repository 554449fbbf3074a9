import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { SaveReview } from '#contract/exam-wrong.ts';
import { isSelfScored, normalAnswer } from '#rules/exam/answer.ts';
import { dayOf } from '#rules/exam/schedule.ts';
import { gradeAnswer } from '#rules/exam/scoring.ts';
import { evidenceOf } from '#rules/exam/wrong.ts';
import { noteReview } from '../grading/last-review-store.ts';
import { StatisticChanges } from '../grading/statistics.ts';
import { asShownWithKey } from '../paper/content.ts';
import { readQuestions, type StandingQuestion } from '../paper/standing-question-store.ts';
import type { ExamParts } from '../parts.ts';
import { readNotes } from './collection-store.ts';

type Review = InputOf<typeof SaveReview>;

/**
 * Takes the outcome of reviewing one question of the student's own list or collection. Letters are graded; of a text, and
 * without an answer, the student says whether they knew it. The same outcome once more on that day is the same review, so that sending
 * it twice counts once, also for a client that names nothing but the question.
 */
export async function saveReview(
  { db, gradesFor, writeStatistics }: ExamParts,
  { userId, now, questionId, ...review }: Review & { userId: number; now: number },
): Promise<{ ok: true; reviewed: DataOf<typeof SaveReview> } | { ok: false; why: Why; field?: string }> {
  return db.transaction(async (trx) => {
    const grades = gradesFor(trx, userId);
    if ((await grades.hidden()).has(questionId)) return { ok: false, why: 'keyHidden' };
    const question = (await readQuestions(trx, [questionId])).get(questionId);
    const before = (await grades.wrongOf([questionId])).get(questionId);
    const known = before !== undefined || (await readNotes(trx, userId, [questionId])).size > 0;
    if (!question || !known) return { ok: false, why: 'notFound' };
    const state = outcome(question, review);
    if (state === null) return { ok: false, why: 'answerMalformed', field: 'answer' };
    const evidence = evidenceOf(state, false);
    const statistics = new StatisticChanges();
    if (evidence !== null && evidence !== 'guessed') {
      const said = { userId, questionId, day: dayOf(now), said: evidence, at: now, mistakeAt: before?.lastAt ?? 0 };
      if (await noteReview(trx, said)) statistics.noteReview(userId, questionId, evidence, now);
    }
    await writeStatistics(trx, statistics);
    const entry = (await grades.wrongOf([questionId])).get(questionId);
    const rate = (await grades.accuracy([question])).get(questionId) ?? null;
    return {
      ok: true,
      reviewed: {
        state,
        question: asShownWithKey(question, null, rate),
        wrong: entry ? { state: entry.state, timesWrong: entry.timesWrong, rightStreak: entry.rightStreak } : null,
      },
    };
  });
}

/** 1 right · 2 wrong · 3 partly right · 5 void; null: it cannot be an answer to the question. */
function outcome(
  question: StandingQuestion,
  { answer, judgeFlag = 1 }: Omit<Review, 'questionId'>,
): 1 | 2 | 3 | 5 | null {
  if (question.gradeMode === 'void') return 5;
  const judged = judgeFlag === 1 ? 1 : 2;
  if (answer === undefined || isSelfScored(question.type)) return judged;
  const normal = normalAnswer(question.type, question.letters, answer);
  if (!normal.ok) return null;
  const { state } = gradeAnswer(question, normal.answer, null);
  return state === 1 || state === 3 ? state : 2;
}
