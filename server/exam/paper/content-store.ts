import type { QuestionType } from '#rules/exam/answer.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query } from '#server/db/open.ts';
import type { Content, ContentQuestion, Section } from './content.ts';

/** Reads the content of an exam; the cache goes by the exam's version, which the caller has just read. */
export type ReadContent = (query: Query, examId: number, version: number) => Promise<Content>;

/** Characters of content in memory at most; past that the longest unused goes. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** Makes a content reader with a bounded cache. It holds nothing that cannot be read again, so processes may differ. */
export function contentReader(most = MOST_CHARACTERS): ReadContent {
  const cached = new Map<number, { content: Content; weight: number }>();
  let weight = 0;
  return async (query, examId, version) => {
    const known = cached.get(examId);
    if (known) {
      cached.delete(examId);
      if (known.content.version === version) {
        cached.set(examId, known);
        return known.content;
      }
      weight -= known.weight;
    }
    const content = await readContent(query, examId);
    const own = content.questions.reduce(
      (sum, question) => sum + question.topic.length + question.analysis.length + 400,
      1000,
    );
    const raced = cached.get(examId);
    if (raced) weight -= raced.weight;
    cached.delete(examId);
    cached.set(examId, { content, weight: own });
    weight += own;
    for (const [id, oldest] of cached) {
      if (weight <= most || id === examId) break;
      cached.delete(id);
      weight -= oldest.weight;
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
  const caseIds = [...new Set(questions.map((question) => question.caseId).filter((id) => id !== null))];
  const cases: Content['cases'][number][] = [];
  for (const ids of inLists(caseIds)) {
    cases.push(
      ...(await query
        .selectFrom('cases')
        .select(['id', 'title', 'text'])
        .where('id', 'in', ids)
        .orderBy('id')
        .execute()),
    );
  }
  const byId = new Map(questions.map((question) => [question.questionId, question]));
  const sections = (JSON.parse(exam.sections) as Section[]).map((section) => ({
    title: section.title,
    questionIds: section.questionIds.filter((id) => byId.has(id)),
  }));
  return { examId, version: exam.version, partial: exam.partial, sections, questions, byId, cases };
}

/** In which pack and chapter a question stands; null when there is none. */
export async function findQuestionPlace(
  query: Query,
  questionId: number,
): Promise<{ packId: number; chapterId: number } | null> {
  const row = await query
    .selectFrom('questions')
    .select(['pack_id', 'chapter_id'])
    .where('id', '=', questionId)
    .executeTakeFirst();
  return row ? { packId: row.pack_id, chapterId: row.chapter_id } : null;
}
