import type { DataOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { ReciteExam } from '#contract/exam.ts';
import { mayReveal } from '#rules/exam/reveal.ts';
import { readAccuracy } from '../grading/statistics-store.ts';
import { asShownWithKey, inOrder } from '../paper/content.ts';
import type { ExamParts } from '../parts.ts';
import { readInOpenExam } from '../record/open-exam-store.ts';

/** The questions of a record with their keys, without those the student sits in a scored exam right now. */
export async function recite(
  { db, records, readContent }: ExamParts,
  asked: { userId: number; recordId: number },
): Promise<({ ok: true } & DataOf<typeof ReciteExam>) | { ok: false; why: Why }> {
  const record = await records.find(asked.userId, asked.recordId);
  if (!record) return { ok: false, why: 'notFound' };
  if (!mayReveal(record)) return { ok: false, why: 'noRecite' };
  const inOpenExam = await readInOpenExam(db.query, asked.userId);
  const content = await readContent(db.query, record.examId, record.version);
  const layout = await records.layout(db.query, record);
  const questions = inOrder(content, layout);
  const seen = questions.filter((question) => !inOpenExam.has(question.questionId));
  const rates = await readAccuracy(db.query, seen);
  return {
    ok: true,
    questions: seen.map((question) => asShownWithKey(question, layout, rates.get(question.questionId) ?? null)),
    hidden: questions.map((question) => question.questionId).filter((id) => inOpenExam.has(id)),
  };
}
