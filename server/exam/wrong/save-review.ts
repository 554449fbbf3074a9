import type { DataOf, InputOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { SaveReview } from '#contract/exam-wrong.ts';
import { isNewReview, reviewOutcome } from '#rules/exam/review.ts';
import { dayOf } from '#rules/exam/schedule.ts';
import { evidenceOf } from '#rules/exam/wrong.ts';
import { holdLastReview, noteReview } from '../grading/last-review-store.ts';
import { StatisticChanges } from '../grading/statistics.ts';
import { asShownWithKey } from '../paper/content.ts';
import { readQuestions } from '../paper/standing-question-store.ts';
import type { ExamParts } from '../parts.ts';
import { readNotes } from './collection-store.ts';

type Review = InputOf<typeof SaveReview>;

/**
 * Takes the outcome of reviewing one question of the student's own list or collection, whose key they may see. Letters are graded; of a text, and
 * without an answer, the student says whether they knew it. The same outcome once more on that day is the same review, so that sending
 * it twice counts once, also for a client that names nothing but the question.
 */
export async function saveReview(
  { db, access, gradesFor, writeStatistics }: ExamParts,
  { userId, now, questionId, ...review }: Review & { userId: number; now: number },
): Promise<{ ok: true; reviewed: DataOf<typeof SaveReview> } | { ok: false; why: Why; field?: string }> {
  return db.transaction(async (trx) => {
    const grades = gradesFor(trx, userId);
    if ((await grades.hidden()).has(questionId)) return { ok: false, why: 'keyHidden' };
    const question = (await readQuestions(trx, [questionId])).get(questionId);
    const listed = async () => (await grades.wrongOf([questionId])).get(questionId) ?? null;
    const known = (await listed()) !== null || (await readNotes(trx, userId, [questionId])).size > 0;
    if (!question || !known) return { ok: false, why: 'notFound' };
    const { packId } = question;
    const [pack] = await access.askAll(trx, [{ userId, packId, archived: false }]);
    if (pack && !pack.open.ok) return pack.open;
    if (!(await grades.keysOf([{ questionId, packId }])).has(questionId)) return { ok: false, why: 'keyHidden' };
    const { answer, judgeFlag } = review;
    const state = reviewOutcome(question, {
      answer,
      judgeFlag: judgeFlag === undefined ? undefined : judged(judgeFlag),
    });
    if (state === null) return { ok: false, why: 'answerMalformed', field: 'answer' };
    const evidence = evidenceOf(state, false);
    const statistics = new StatisticChanges();
    if (evidence !== null && evidence !== 'guessed') {
      const said = { day: dayOf(now), said: evidence, at: now };
      const last = await holdLastReview(db, trx, { userId, questionId }, said);
      // Read only now that nobody else reviews it.
      if (isNewReview(last, said, await listed())) {
        if (last !== null) await noteReview(trx, { userId, questionId }, said);
        statistics.noteReview(userId, questionId, evidence, now);
      }
    }
    await writeStatistics(trx, statistics);
    const entry = await listed();
    const rate = (await grades.accuracy([question])).get(questionId) ?? null;
    return {
      ok: true,
      reviewed: {
        state,
        question: asShownWithKey(question, null, rate),
        wrong: entry && { state: entry.state, timesWrong: entry.timesWrong, rightStreak: entry.rightStreak },
      },
    };
  });
}

const judged = (flag: number) => (flag === 2 ? 2 : 1);
