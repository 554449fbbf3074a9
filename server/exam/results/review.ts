import type { DataOf } from '#contract/call.ts';
import type { Why } from '#contract/envelope.ts';
import type { ReviewExam } from '#contract/exam.ts';
import { withKeyWithheld } from '#rules/exam/reveal.ts';
import { asShownWithKey, inOrder, ownAnswer, sectionsInOrder } from '../paper/content.ts';
import { readCorrections } from '../paper/corrected-store.ts';
import { textsOf } from '../paper/question-texts.ts';
import type { ExamParts } from '../parts.ts';
import { recordState } from '../record/state.ts';
import { readRetake } from './retake.ts';

type Review = DataOf<typeof ReviewExam>;

/** Every question of a closed record with own answer, key and verdict; withheld where a scored exam with it is open. */
export async function readReview(
  parts: ExamParts,
  asked: { userId: number; recordId: number },
): Promise<{ ok: true; review: Review } | { ok: false; why: Why }> {
  const { db, records, answers, readContent, gradesFor, setFormulas } = parts;
  const record = await records.find(asked.userId, asked.recordId);
  if (!record) return { ok: false, why: 'notFound' };
  if (record.submittedAt === null) return { ok: false, why: 'notSubmitted' };
  const grades = gradesFor(db.query, asked.userId);
  const hiddenQuestions = await grades.hidden();
  const verdicts = await grades.verdicts(record);
  const ticks = await grades.ticks(record);
  const content = await readContent(db.query, record.examId, record.version);
  const layout = await records.layout(db.query, record);
  const stored = new Map((await answers.readRecord(db.query, record.id)).map((answer) => [answer.questionId, answer]));
  const seen = content.questions.filter(({ questionId }) => !hiddenQuestions.has(questionId));
  const rates = await grades.accuracy(seen);
  const corrections = await readCorrections(db.query, content, seen);
  const questions = inOrder(content, layout).map((question): Review['questions'][number] => {
    const { questionId } = question;
    const own = stored.get(questionId);
    const hidden = hiddenQuestions.has(questionId);
    const keyed = asShownWithKey(question, layout, rates.get(questionId) ?? null);
    const graded = verdicts.get(questionId);
    return {
      ...(hidden ? withKeyWithheld(keyed) : keyed),
      answer: ownAnswer(layout, question, own?.answer ?? '', hidden),
      flag: own?.flag ?? 0,
      guess: own?.guess ?? 0,
      isSubmit: 1,
      state: graded?.state ?? 0,
      myScore: graded?.earned ?? null,
      judgeFlag: graded?.judgeFlag ?? null,
      ticks: [...(ticks.get(questionId) ?? [])],
      hidden,
      correction: corrections.get(questionId) ?? null,
    };
  });
  const corrected = questions.flatMap(({ correction }) => correction?.question ?? []);
  const { formulas } = await setFormulas(textsOf([...questions, ...corrected], content.cases));
  return {
    ok: true,
    review: {
      ...recordState(record),
      retake: await readRetake(parts, record),
      sections: sectionsInOrder(content, layout),
      questions,
      cases: [...content.cases],
      ...(content.similar.length > 0 && { similar: [...content.similar] }),
      formulas,
    },
  };
}
