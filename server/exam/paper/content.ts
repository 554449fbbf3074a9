import type { Static } from 'typebox';
import type { KeyedQuestion as KeyedSchema, Question as QuestionSchema } from '#contract/exam.ts';
import type { QuestionType } from '#rules/exam/answer.ts';
import { withoutKey } from '#rules/exam/reveal.ts';
import { type Layout, shownOptions, toShown } from '#rules/exam/shuffle.ts';
import type { Query } from '#server/db/open.ts';

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
  /** Points in this exam. */
  score: number;
  chapterId: number;
  caseId: number | null;
  right: string;
  analysis: string;
}

export interface Section {
  title: string;
  questionIds: number[];
}

/** Everything a paper says, in the paper's own order. */
export interface Content {
  examId: number;
  version: number;
  /** Share of the points for a part of the right letters; null: exact or nothing. */
  partial: number | null;
  sections: readonly Section[];
  questions: readonly ContentQuestion[];
  byId: ReadonlyMap<number, ContentQuestion>;
  cases: readonly { id: number; title: string; text: string }[];
}

/** Reads the content of an exam; the cache is kept by the exam's version, which the caller has just read. */
export type ReadContent = (query: Query, examId: number, version: number) => Promise<Content>;

/** Characters of content that are kept in memory; past that the longest unused goes. */
const KEPT_CHARACTERS = 64 * 1024 * 1024;

/** Makes a content reader with a bounded cache. It holds nothing that cannot be read again, so processes may differ. */
export function contentReader(keep = KEPT_CHARACTERS): ReadContent {
  const kept = new Map<number, { content: Content; weight: number }>();
  let weight = 0;
  return async (query, examId, version) => {
    const known = kept.get(examId);
    if (known) {
      kept.delete(examId);
      if (known.content.version === version) {
        kept.set(examId, known);
        return known.content;
      }
      weight -= known.weight;
    }
    const content = await readContent(query, examId);
    const own = content.questions.reduce((sum, one) => sum + one.topic.length + one.analysis.length + 400, 1000);
    const raced = kept.get(examId);
    if (raced) weight -= raced.weight;
    kept.delete(examId);
    kept.set(examId, { content, weight: own });
    weight += own;
    for (const [id, one] of kept) {
      if (weight <= keep || id === examId) break;
      kept.delete(id);
      weight -= one.weight;
    }
    return content;
  };
}

async function readContent(query: Query, examId: number): Promise<Content> {
  // The version first: if the content changes while it is read, the next reader sees a newer version and reads again.
  const exam = await query
    .selectFrom('exams')
    .select(['version', 'partial', 'sections'])
    .where('id', '=', examId)
    .executeTakeFirstOrThrow();
  const rows = await query
    .selectFrom('exam_questions')
    .innerJoin('questions', 'questions.id', 'exam_questions.question_id')
    .select([
      'questions.id',
      'questions.question_types_id',
      'questions.topic',
      'questions.options',
      'questions.right_answer',
      'questions.answer_analysis',
      'questions.chapter_id',
      'questions.case_id',
      'exam_questions.score',
    ])
    .where('exam_questions.exam_id', '=', examId)
    .orderBy('exam_questions.position')
    .orderBy('questions.id')
    .execute();
  const questions = rows.map((row): ContentQuestion => {
    const options = JSON.parse(row.options) as Record<string, string>;
    return {
      questionId: row.id,
      type: row.question_types_id as QuestionType,
      topic: row.topic,
      options,
      letters: Object.keys(options).sort().join(''),
      score: row.score,
      chapterId: row.chapter_id,
      caseId: row.case_id,
      right: row.right_answer,
      analysis: row.answer_analysis,
    };
  });
  const caseIds = [...new Set(questions.map((one) => one.caseId).filter((id) => id !== null))];
  const cases: Content['cases'][number][] = [];
  for (let from = 0; from < caseIds.length; from += 1000) {
    cases.push(
      ...(await query
        .selectFrom('cases')
        .select(['id', 'title', 'text'])
        .where('id', 'in', caseIds.slice(from, from + 1000))
        .orderBy('id')
        .execute()),
    );
  }
  const byId = new Map(questions.map((one) => [one.questionId, one]));
  const sections = (JSON.parse(exam.sections) as Section[]).map((section) => ({
    title: section.title,
    questionIds: section.questionIds.filter((id) => byId.has(id)),
  }));
  return { examId, version: exam.version, partial: exam.partial, sections, questions, byId, cases };
}

/** The questions of a paper in the order of one record. Questions that came into the paper later stand at the end. */
export function inOrder(content: Content, layout: Layout | null): readonly ContentQuestion[] {
  if (layout === null) return content.questions;
  const frozen = new Set(layout.order);
  return [
    ...layout.order.map((id) => content.byId.get(id)).filter((one) => one !== undefined),
    ...content.questions.filter((one) => !frozen.has(one.questionId)),
  ];
}

/** The sections of a paper with their questions in the order of one record. */
export function sectionsInOrder(content: Content, layout: Layout | null): Section[] {
  const place = new Map(inOrder(content, layout).map((one, at) => [one.questionId, at]));
  return content.sections.map(({ title, questionIds }) => ({
    title,
    questionIds:
      layout === null ? [...questionIds] : [...questionIds].sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0)),
  }));
}

/** Which stored letter each shown letter of a question stands for in one record; undefined: its own. */
export function permutationOf(layout: Layout | null, question: ContentQuestion): string | undefined {
  const permutation = layout?.options?.[question.questionId];
  // A permutation of other letters is of an older version of the question: then its own letters are shown.
  return permutation !== undefined && [...permutation].sort().join('') === question.letters ? permutation : undefined;
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
    rightAnswer: toShown(question.right, permutation),
    answerAnalysis: question.analysis,
    accuracyRate,
  };
}
