import type { DataOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { ReviewExam } from '#contract/exam.ts';
import { withoutKey } from '#rules/exam/reveal.ts';
import { toShown } from '#rules/exam/shuffle.ts';
import { readAccuracy } from '../grading/statistics-store.ts';
import { asShownWithKey, inOrder, permutationOf, sectionsInOrder } from '../paper/content.ts';
import { readCorrections } from '../paper/corrected-store.ts';
import type { ExamParts } from '../parts.ts';
import { readGradedOf } from '../record/graded-store.ts';
import { readInOpenExam } from '../record/open-exam-store.ts';
import { recordState } from '../record/state.ts';

type Review = DataOf<typeof ReviewExam>;

/** Every question of a closed record with own answer, key and verdict; withheld where a scored exam with it is open. */
export async function readReview(
  { db, records, answers, readContent }: ExamParts,
  asked: { userId: number; recordId: number },
): Promise<{ ok: true; review: Review } | { ok: false; why: Why }> {
  const record = await records.find(asked.userId, asked.recordId);
  if (!record) return { ok: false, why: 'notFound' };
  if (record.submittedAt === null) return { ok: false, why: 'notSubmitted' };
  const inOpenExam = await readInOpenExam(db.query, asked.userId);
  const gradedQuestions = await readGradedOf(db.query, record.id);
  const content = await readContent(db.query, record.examId, record.version);
  const layout = await records.layout(db.query, record);
  const stored = new Map((await answers.readRecord(db.query, record.id)).map((answer) => [answer.questionId, answer]));
  const seen = content.questions.filter(({ questionId }) => !inOpenExam.has(questionId));
  const rates = await readAccuracy(db.query, seen);
  const corrections = await readCorrections(db.query, content, seen);
  const questions = inOrder(content, layout).map((question): Review['questions'][number] => {
    const { questionId } = question;
    const own = stored.get(questionId);
    const hidden = inOpenExam.has(questionId);
    const keyed = asShownWithKey(question, layout, rates.get(questionId) ?? null);
    const graded = gradedQuestions.get(questionId);
    return {
      ...(hidden ? { ...withoutKey(keyed), rightAnswer: '', answerAnalysis: '', accuracyRate: null } : keyed),
      answer:
        question.letters === '' ? (own?.answer ?? '') : toShown(own?.answer ?? '', permutationOf(layout, question)),
      flag: own?.flag ?? 0,
      isSubmit: 1,
      state: hidden ? 0 : (graded?.state ?? 0),
      myScore: hidden ? null : (graded?.earned ?? null),
      judgeFlag: hidden ? null : (graded?.judgeFlag ?? null),
      hidden,
      correction: corrections.get(questionId) ?? null,
    };
  });
  return {
    ok: true,
    review: {
      ...recordState(record),
      sections: sectionsInOrder(content, layout),
      questions,
      cases: [...content.cases],
    },
  };
}
