import type { Why } from '#contract/envelope.ts';
import { addPoints, scoreSelf } from '#rules/exam/scoring.ts';
import { normalTicks } from '#rules/exam/scoring-points.ts';
import { readTeacherIds } from '#server/user/store.ts';
import type { ExamParts } from '../parts.ts';
import { readGradedOf } from './graded-store.ts';
import { StatisticChanges } from './statistics.ts';
import { readCounted } from './study-time-store.ts';
import { saveTicks } from './tick-store.ts';

interface OwnScore {
  userId: number;
  recordId: number;
  questionId: number;
  myScore: number;
  judgeFlag: 1 | 2 | undefined;
  /** Places of the scoring points that were ticked; left out: those stored stay. */
  ticks?: readonly number[] | undefined;
  /** Server time. */
  at: number;
}

/** Takes the student's own score of a question of type 4 or 8; it may be changed, and statistics follow by the difference. */
export async function submitOwnScore(
  { db, records, answers, readContent, grading, gradesFor, writeStatistics }: ExamParts,
  { userId, recordId, questionId, myScore, judgeFlag, ticks, at }: OwnScore,
): Promise<{ ok: true } | { ok: false; why: Why }> {
  return db.transaction(async (trx) => {
    const [record] = await records.lock(trx, [recordId]);
    if (!record || record.userId !== userId) return { ok: false, why: 'notFound' };
    if (record.submittedAt === null) return { ok: false, why: 'notSubmitted' };
    const graded = await readGradedOf(trx, record.id);
    const content = await readContent(trx, record.examId, record.version);
    const question = content.byId.get(questionId);
    const before = graded.get(questionId);
    if (!question || !before) return { ok: false, why: 'notFound' };
    if ((await gradesFor(trx, userId).hidden()).has(questionId)) return { ok: false, why: 'keyHidden' };
    if (before.state === 0) return { ok: false, why: 'notSelfScored' };
    const scored = scoreSelf(question, myScore, judgeFlag);
    if (!scored.ok) return scored;
    const ticked = ticks && normalTicks(ticks, question.points.length);
    if (ticked === null) return { ok: false, why: 'noSuchPoint' };
    if (ticked) await saveTicks(trx, record.id, questionId, ticked);
    const now = scored.graded;
    graded.set(questionId, now);
    await grading.regrade(trx, record.id, graded);
    const statistics = new StatisticChanges(await readTeacherIds(trx));
    if (before.state === 4) {
      const guess = (await answers.read(trx, [{ recordId, questionId }])).get(recordId, questionId)?.guess === 1;
      statistics.countAnswer(record, question, { state: now.state, guess, at });
      statistics.countPoints(record, questionId, now.earned ?? 0, question.score);
    } else {
      statistics.changeAnswer(record, question, { before: before.state, now: now.state, at });
      const difference = addPoints([now.earned ?? 0, -(before.earned ?? 0)]);
      statistics.countPoints(record, questionId, difference, 0);
    }
    const counted = (await readCounted(trx, record.id))?.get(questionId);
    if (counted) {
      statistics.study.result(record, question, before, counted, -1);
      statistics.study.result(record, question, now, counted, 1);
    }
    await writeStatistics(trx, statistics);
    return { ok: true };
  });
}
