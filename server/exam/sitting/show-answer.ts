import type { Static } from 'typebox';
import type { Why } from '#contract/envelope.ts';
import type { KeyedQuestion as KeyedSchema } from '#contract/exam.ts';
import { isAnswered } from '#rules/exam/answer.ts';
import { mayChange } from '#rules/exam/attempt.ts';
import { mayReveal } from '#rules/exam/reveal.ts';
import { type Graded, gradeAnswer } from '#rules/exam/scoring.ts';
import type { Trx } from '#server/db/open.ts';
import { StatisticChanges } from '../grading/statistics.ts';
import { timesOf } from '../grading/study.ts';
import { asShownWithKey } from '../paper/content.ts';
import type { ExamParts } from '../parts.ts';
import type { ExamRecord } from '../record/store.ts';

type Shown = { ok: true; question: Static<typeof KeyedSchema>; state: Graded['state'] } | { ok: false; why: Why };

/**
 * Shows the key of one question of a practice: the question is graded now and its answer is final. A question that the
 * student sits in a scored exam right now keeps its key, whatever practice it stands in.
 */
export async function showAnswer(
  { db, records, answers, readContent, gradesFor, writeStatistics }: ExamParts,
  asked: { userId: number; recordId: number; questionId: number; windowId?: string | undefined; now: number },
): Promise<Shown> {
  const { userId, recordId, questionId } = asked;
  /** How long an answer took, by those of the record so far. */
  const secondsOf = async (trx: Trx, record: ExamRecord, question: number) => {
    const all = (await answers.readToGrade(trx, [record.id])).get(record.id) ?? new Map();
    return timesOf(record, all, 0).get(question) ?? 0;
  };
  return db.transaction(async (trx) => {
    const [record] = await records.lock(trx, [recordId]);
    if (!record || record.userId !== userId) return { ok: false, why: 'notFound' };
    const content = await readContent(trx, record.examId, record.version);
    const question = content.byId.get(questionId);
    if (!question) return { ok: false, why: 'notFound' };
    if (!mayReveal(record)) return { ok: false, why: 'keyHidden' };
    const may = mayChange(record, asked.windowId, asked.now);
    if (!may.ok) return may;
    const grades = gradesFor(trx, userId);
    if ((await grades.hidden()).has(questionId)) return { ok: false, why: 'keyHidden' };
    const recordQuestion = { recordId, questionId };
    const stored = (await answers.read(trx, [recordQuestion])).get(recordId, questionId);
    const graded = gradeAnswer(question, stored?.answer ?? null, content.partial);
    if ((stored?.shownAt ?? null) === null) {
      const statistics = new StatisticChanges();
      const counted = isAnswered(stored?.answer ?? null)
        ? { seconds: await secondsOf(trx, record, questionId), difficulty: question.difficulty }
        : null;
      await answers.markShown(trx, recordQuestion, asked.now, counted);
      if (counted) {
        statistics.study.time(record, questionId, counted, asked.now, 1);
        statistics.study.result(record, question, graded, counted, 1);
      }
      statistics.countAnswer(record, question, { state: graded.state, guess: stored?.guess === 1, at: asked.now });
      await writeStatistics(trx, statistics);
    }
    const layout = await records.layout(trx, record);
    const rate = (await grades.accuracy([question])).get(questionId) ?? null;
    return { ok: true, question: asShownWithKey(question, layout, rate), state: graded.state };
  });
}
