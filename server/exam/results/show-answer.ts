import type { Static } from 'typebox';
import type { Why } from '#contract/envelope.ts';
import type { KeyedQuestion as KeyedSchema } from '#contract/exam.ts';
import { mayChange } from '#rules/exam/attempt.ts';
import { mayReveal } from '#rules/exam/reveal.ts';
import { addPoints, type Graded, gradeAnswer, scoreSelf, tally } from '#rules/exam/scoring.ts';
import type { Db, Trx } from '#server/db/open.ts';
import { countGraded, countPoints, gradedToJson, noFigures } from '../grading/close-records.ts';
import { asShownWithKey, inOrder } from '../paper/content.ts';
import type { Desk } from '../parts.ts';
import { findRecord, readAccuracy, readGraded, readInOpenExam } from '../record/visible-result.ts';

type KeyedQuestion = Static<typeof KeyedSchema>;
type Refused = { ok: false; why: Why };

/**
 * Shows the key of one question of a practice: the question is graded now and its answer is final. A question that the
 * student sits in a scored exam right now keeps its key, whatever practice it stands in.
 */
export async function showAnswer(
  db: Db,
  desk: Desk,
  asked: { userId: number; recordId: number; questionId: number; windowId?: string | undefined; now: number },
): Promise<{ ok: true; question: KeyedQuestion; state: Graded['state'] } | Refused> {
  return db.transaction(async (trx) => {
    const record = (await desk.records.lock(trx, [asked.recordId]))[0];
    if (!record || record.userId !== asked.userId) return { ok: false, why: 'notFound' };
    const content = await desk.readContent(trx, record.examId, record.version);
    const question = content.byId.get(asked.questionId);
    if (!question) return { ok: false, why: 'notFound' };
    if (!mayReveal(record)) return { ok: false, why: 'keyHidden' };
    const may = mayChange(record, asked.windowId, asked.now);
    if (!may.ok) return may;
    if ((await readInOpenExam(trx, asked.userId)).has(asked.questionId)) return { ok: false, why: 'keyHidden' };
    const pair = { recordId: record.id, questionId: asked.questionId };
    const kept = (await desk.answers.kept(trx, [pair])).get(pair);
    const graded = gradeAnswer(question, kept?.answer ?? null, content.partial);
    if ((kept?.shownAt ?? null) === null) {
      await trx
        .insertInto('exam_answers')
        .values({
          record_id: record.id,
          question_id: asked.questionId,
          answer: null,
          shown_at: asked.now,
          saved_at: asked.now,
        })
        .onConflict((conflict) => conflict.columns(['record_id', 'question_id']).doUpdateSet({ shown_at: asked.now }))
        .execute();
      if (graded.state !== 0 && graded.state !== 4) {
        const figures = noFigures();
        countGraded(figures, record.userId, question.questionId, question.chapterId, graded.state === 1);
        await desk.writeFigures(trx, figures);
      }
    }
    const layout = await desk.records.layout(trx, record);
    const rate = (await readAccuracy(trx, [asked.questionId])).get(asked.questionId) ?? null;
    return { ok: true, question: asShownWithKey(question, layout, rate), state: graded.state };
  });
}

/** The questions of a record with their keys, without those the student sits in a scored exam right now. */
export async function recite(
  db: Db,
  desk: Desk,
  asked: { userId: number; recordId: number },
): Promise<{ ok: true; questions: KeyedQuestion[]; hidden: number[] } | Refused> {
  const record = await findRecord(db, asked.userId, asked.recordId);
  if (!record) return { ok: false, why: 'notFound' };
  if (!mayReveal(record)) return { ok: false, why: 'noRecite' };
  const inOpenExam = await readInOpenExam(db.query, asked.userId);
  const content = await desk.readContent(db.query, record.examId, record.version);
  const layout = await desk.records.layout(db.query, { id: record.recordId, shuffled: record.shuffled });
  const all = inOrder(content, layout);
  const seen = all.filter((one) => !inOpenExam.has(one.questionId));
  const rates = await readAccuracy(
    db.query,
    seen.map((one) => one.questionId),
  );
  return {
    ok: true,
    questions: seen.map((one) => asShownWithKey(one, layout, rates.get(one.questionId) ?? null)),
    hidden: all.filter((one) => inOpenExam.has(one.questionId)).map((one) => one.questionId),
  };
}

/** Takes the student's own score of a question of type 4 or 8; it may be changed, and figures follow by the difference. */
export async function scoreOwn(
  db: Db,
  desk: Desk,
  asked: { userId: number; recordId: number; questionId: number; myScore: number; judgeFlag: 1 | 2 | undefined },
): Promise<{ ok: true } | Refused> {
  return db.transaction(async (trx) => {
    const record = (await desk.records.lock(trx, [asked.recordId]))[0];
    if (!record || record.userId !== asked.userId) return { ok: false, why: 'notFound' };
    if (record.submittedAt === null) return { ok: false, why: 'notSubmitted' };
    const graded = (await readGraded(trx, [record.id])).get(record.id) ?? new Map<number, Graded>();
    const content = await desk.readContent(trx, record.examId, record.version);
    const question = content.byId.get(asked.questionId);
    const before = graded.get(asked.questionId);
    if (!question || !before) return { ok: false, why: 'notFound' };
    if ((await readInOpenExam(trx, asked.userId)).has(asked.questionId)) return { ok: false, why: 'keyHidden' };
    if (before.state === 0) return { ok: false, why: 'notSelfScored' };
    const scored = scoreSelf(question, asked.myScore, asked.judgeFlag);
    if (!scored.ok) return scored;
    graded.set(asked.questionId, scored.graded);
    await writeGraded(trx, record.id, graded);
    const figures = noFigures();
    const { questionId, chapterId } = question;
    if (before.state === 4) {
      countGraded(figures, record.userId, questionId, chapterId, scored.graded.state === 1);
      countPoints(figures, record.examId, chapterId, scored.graded.earned ?? 0, question.score);
    } else {
      const right = Number(scored.graded.state === 1) - Number(before.state === 1);
      figures.questions.set(questionId, [0, right]);
      figures.progress.set(`${record.userId}:${chapterId}`, [record.userId, chapterId, 0, right]);
      countPoints(figures, record.examId, chapterId, addPoints([scored.graded.earned ?? 0, -(before.earned ?? 0)]), 0);
    }
    await desk.writeFigures(trx, figures);
    return { ok: true };
  });
}

async function writeGraded(trx: Trx, recordId: number, graded: ReadonlyMap<number, Graded>): Promise<void> {
  const sum = tally(graded.values());
  await trx
    .updateTable('exam_records')
    .set({
      graded: gradedToJson(graded),
      score: sum.score,
      right_count: sum.rightCount,
      wrong_count: sum.wrongCount,
      unanswered_count: sum.unansweredCount,
      pending_count: sum.pendingCount,
    })
    .where('id', '=', recordId)
    .execute();
}
