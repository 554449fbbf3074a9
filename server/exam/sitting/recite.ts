import type { DataOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { ReciteExam } from '#contract/exam.ts';
import { mayReveal } from '#rules/exam/reveal.ts';
import { asShownWithKey, inOrder } from '../paper/content.ts';
import { textsOf } from '../paper/question-texts.ts';
import type { ExamParts } from '../parts.ts';

/** The questions of a record with their keys, without those the student sits in a scored exam right now. */
export async function recite(
  { db, records, readContent, gradesFor, setFormulas }: ExamParts,
  asked: { userId: number; recordId: number },
): Promise<({ ok: true } & DataOf<typeof ReciteExam>) | { ok: false; why: Why }> {
  const record = await records.find(asked.userId, asked.recordId);
  if (!record) return { ok: false, why: 'notFound' };
  if (!mayReveal(record)) return { ok: false, why: 'noRecite' };
  const grades = gradesFor(db.query, asked.userId);
  const hidden = await grades.hidden();
  const content = await readContent(db.query, record.examId, record.version);
  const layout = await records.layout(db.query, record);
  const questions = inOrder(content, layout);
  const seen = questions.filter((question) => !hidden.has(question.questionId));
  const rates = await grades.accuracy(seen);
  const shown = seen.map((question) => asShownWithKey(question, layout, rates.get(question.questionId) ?? null));
  return {
    ok: true,
    questions: shown,
    hidden: questions.map((question) => question.questionId).filter((id) => hidden.has(id)),
    ...(await setFormulas(textsOf(shown))),
  };
}
