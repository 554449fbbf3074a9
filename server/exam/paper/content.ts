import type { Static } from 'typebox';
import type { KeyedQuestion as KeyedSchema, Question as QuestionSchema } from '#contract/exam.ts';
import type { GradeMode } from '#contract/values/exam.ts';
import type { QuestionType } from '#rules/exam/answer.ts';
import { withoutKey } from '#rules/exam/reveal.ts';
import type { ScoringPoint } from '#rules/exam/scoring-points.ts';
import { type Layout, shownOptions, toShown } from '#rules/exam/shuffle.ts';

type Question = Static<typeof QuestionSchema>;
type KeyedQuestion = Static<typeof KeyedSchema>;

/** A question of a paper as it is stored, key included: stays on the server. */
export interface ContentQuestion {
  questionId: number;
  type: QuestionType;
  topic: string;
  options: Readonly<Record<string, string>>;
  /** Letters on offer, ascending; '' for text questions. */
  letters: string;
  /** Points in this exam; none where it is void. */
  score: number;
  /** Points that its list names for it. */
  listed: number;
  chapterId: number;
  caseId: number | null;
  right: string;
  analysis: string;
  /** Scoring points of types 4 and 8, part of the key; their weights as the question's points here have it. */
  points: readonly ScoringPoint[];
  /** Which of its keys this is: accuracy is counted for each by itself. */
  keyVersion: number;
  /** 1 (easy) to 5, as the question says now, in every version of a paper; 0: it says none. */
  difficulty: number;
  gradeMode: GradeMode;
}

export interface Section {
  title: string;
  questionIds: number[];
}

/** Everything one version of a paper says, in the paper's own order. It never changes. */
export interface Content {
  examId: number;
  version: number;
  /** Share of the points for a part of the right letters; null: exact or nothing. */
  partial: number | null;
  sections: readonly Section[];
  questions: readonly ContentQuestion[];
  byId: ReadonlyMap<number, ContentQuestion>;
  cases: readonly { id: number; title: string; text: string }[];
  /** Questions that stand for others of the same knowledge point (同考点). */
  similar: readonly number[];
}

/**
 * The questions of a paper in the order of one record. In records from before papers were kept by version, the layout may
 * name other questions: what is not in it stands at the end.
 */
export function inOrder(content: Content, layout: Layout | null): readonly ContentQuestion[] {
  if (layout === null) return content.questions;
  const frozen = new Set(layout.order);
  return [
    ...layout.order.map((id) => content.byId.get(id)).filter((question) => question !== undefined),
    ...content.questions.filter((question) => !frozen.has(question.questionId)),
  ];
}

/** The sections of a paper with their questions in the order of one record. */
export function sectionsInOrder(content: Content, layout: Layout | null): Section[] {
  const place = new Map(inOrder(content, layout).map((question, at) => [question.questionId, at]));
  return content.sections.map(({ title, questionIds }) => ({
    title,
    questionIds:
      layout === null ? [...questionIds] : [...questionIds].sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0)),
  }));
}

/** Which stored letter each shown letter of a question stands for in one record; undefined: its own. */
export function permutationOf(layout: Layout | null, question: ContentQuestion): string | undefined {
  const permutation = layout?.options?.[question.questionId];
  // Records from before papers were kept by version may have a permutation of other letters: then its own are shown.
  return permutation !== undefined && [...permutation].sort().join('') === question.letters ? permutation : undefined;
}

/**
 * An own answer as its student sees it, in the letters that the record shows. Of a record that is over it is left out while the question stands
 * in an open scored exam of theirs (`withheld`): beside what the record came to, the own letters would be the key (decision 020).
 */
export function ownAnswer(layout: Layout | null, question: ContentQuestion, answer: string, withheld: boolean): string {
  if (question.letters === '') return answer;
  return withheld ? '' : toShown(answer, permutationOf(layout, question));
}

/** A question as one record shows it, without its key. */
export function asShown(question: ContentQuestion, layout: Layout | null): Question {
  return withoutKey(asShownWithKey(question, layout, null));
}

/** A question as one record shows it, with its key. For calls that may reveal one only (rules/exam/reveal.ts). */
export function asShownWithKey(
  question: ContentQuestion,
  layout: Layout | null,
  accuracyRate: number | null,
): KeyedQuestion {
  const permutation = question.letters === '' ? undefined : permutationOf(layout, question);
  return {
    questionId: question.questionId,
    questionTypesId: question.type,
    topic: question.topic,
    options: { ...shownOptions(question.options, permutationOf(layout, question)) },
    score: question.score,
    chapterId: question.chapterId,
    parentCaseStudyId: question.caseId,
    showAnswerFlag: 1,
    rightAnswer: toShown(question.right, permutation),
    answerAnalysis: question.analysis,
    points: question.points.map((point) => ({ ...point, words: [...point.words] })),
    accuracyRate,
    gradeMode: question.gradeMode,
  };
}
