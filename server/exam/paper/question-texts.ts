import type { Static } from 'typebox';
import type { KeyedQuestion as KeyedSchema, Question as QuestionSchema } from '#contract/exam.ts';

type Question = Static<typeof QuestionSchema>;
type KeyedQuestion = Static<typeof KeyedSchema>;

/** The texts of an answer that may have formulas, in the order in which they are read. What is not in the answer must not be given. */
export function* textsOf(
  questions: Iterable<Question | KeyedQuestion>,
  cases: readonly { id: number; text: string }[] = [],
): Generator<string> {
  const materials = new Map(cases.map(({ id, text }) => [id, text]));
  for (const question of questions) {
    const material = materials.get(question.parentCaseStudyId ?? 0);
    if (material !== undefined) yield material;
    materials.delete(question.parentCaseStudyId ?? 0);
    yield question.topic;
    yield* Object.values(question.options);
    if (!('rightAnswer' in question)) continue;
    yield question.rightAnswer;
    yield question.answerAnalysis;
    for (const point of question.points) yield point.text;
  }
}
