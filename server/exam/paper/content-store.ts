import type { Selectable } from 'kysely';
import type { GradeMode } from '#contract/values/exam.ts';
import type { QuestionType } from '#rules/exam/answer.ts';
import { pointsOf } from '#rules/exam/scoring.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query } from '#server/db/open.ts';
import type { PaperRevisions } from '#server/db/schema.ts';
import type { Content, ContentQuestion, Section } from './content.ts';
import type { KeyOverrides, RevisionList } from './correction-store.ts';
import { readStoredPoints } from './stored-points.ts';

/**
 * Reads one version of a paper: the one on offer, or one that a record began with and a correction has replaced since. The
 * one way to what a record shows and is graded by.
 */
export type ReadContent = (query: Query, examId: number, version: number) => Promise<Content>;

/** Characters of content in memory at most; past that the longest unused goes. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** Makes a content reader with a bounded cache. It holds nothing that cannot be read again, so processes may differ. */
export function contentReader(most = MOST_CHARACTERS): ReadContent {
  const cached = new Map<string, { content: Content; weight: number }>();
  let weight = 0;
  return async (query, examId, version) => {
    const key = `${examId} ${version}`;
    const known = cached.get(key);
    if (known) {
      cached.delete(key);
      cached.set(key, known);
      return known.content;
    }
    const content = await readContent(query, examId, version);
    const own = content.questions.reduce(
      (sum, { topic, analysis, points }) =>
        sum + topic.length + analysis.length + points.reduce((own, { text }) => own + text.length + 100, 400),
      1000,
    );
    const raced = cached.get(key);
    if (raced) weight -= raced.weight;
    cached.delete(key);
    cached.set(key, { content, weight: own });
    weight += own;
    for (const [name, oldest] of cached) {
      if (weight <= most || name === key) break;
      cached.delete(name);
      weight -= oldest.weight;
    }
    return content;
  };
}

/** A question as the tables hold it, now or before a correction. */
interface QuestionRow {
  id: number;
  question_types_id: number;
  topic: string;
  options: string;
  right_answer: string;
  answer_analysis: string;
  chapter_id: number;
  case_id: number | null;
  key_version: number;
  points: string;
  difficulty: number | null;
  grade_mode: GradeMode;
}

/** What of a question is read besides its id. */
export const QUESTION_COLUMNS = [
  'question_types_id',
  'topic',
  'options',
  'right_answer',
  'answer_analysis',
  'chapter_id',
  'case_id',
  'key_version',
  'points',
  'grade_mode',
] as const;

/**
 * A question of a paper from its row and the points that its list names for it.
 * @param override what a teacher corrected in it for the records of this version
 */
export function contentQuestion(row: QuestionRow, listed: number, override?: KeyOverrides[number]): ContentQuestion {
  const options = JSON.parse(row.options) as Record<string, string>;
  return {
    questionId: row.id,
    type: row.question_types_id as QuestionType,
    topic: row.topic,
    options,
    letters: Object.keys(options).sort().join(''),
    score: pointsOf(override?.gradeMode ?? row.grade_mode, listed),
    listed,
    chapterId: row.chapter_id,
    caseId: row.case_id,
    right: row.right_answer,
    analysis: row.answer_analysis,
    points: readStoredPoints(row.points, listed),
    keyVersion: row.key_version,
    difficulty: row.difficulty ?? 0,
    gradeMode: row.grade_mode,
    ...override,
  };
}

/** No record began with this version, so a correction that replaced it kept nothing of it. */
export class VersionGone extends Error {}

/**
 * A correction may come between any two of these statements. So what stands now is always read first, then what was kept:
 * that a version or a question was kept says that a correction has replaced it, and what was kept is right either way.
 * The version of an own paper is the first correction that its record does not show (own-paper-store.ts).
 */
async function readContent(query: Query, examId: number, version: number): Promise<Content> {
  const exam = await query
    .selectFrom('exams')
    .leftJoin('own_papers', 'own_papers.exam_id', 'exams.id')
    .select(['exams.version', 'exams.partial', 'exams.sections', 'own_papers.questions as own'])
    .where('exams.id', '=', examId)
    .executeTakeFirstOrThrow();
  if (exam.own !== null) {
    const { partial, sections, own: questions } = exam;
    const kept = { exam_id: examId, version, partial, sections, correction_id: version, questions, overrides: '{}' };
    const standIns = await query.selectFrom('stand_ins').select('question_id').where('exam_id', '=', examId).execute();
    return { ...(await readKept(query, kept)), similar: standIns.map((row) => row.question_id) };
  }
  const current = exam.version === version ? await readCurrent(query, examId, exam) : null;
  const kept = await query
    .selectFrom('paper_revisions')
    .selectAll()
    .where('exam_id', '=', examId)
    .where('version', '=', version)
    .executeTakeFirst();
  if (kept) return readKept(query, kept);
  if (current === null) throw new VersionGone(`version ${version} of paper ${examId} was not kept`);
  return current;
}

/** The version on offer. */
async function readCurrent(
  query: Query,
  examId: number,
  exam: { version: number; partial: number | null; sections: string },
): Promise<Content> {
  const rows = await query
    .selectFrom('exam_questions')
    .innerJoin('questions', 'questions.id', 'exam_questions.question_id')
    .select(['questions.id', 'questions.difficulty', 'exam_questions.score'])
    .select(QUESTION_COLUMNS.map((name) => `questions.${name}` as const))
    .where('exam_questions.exam_id', '=', examId)
    .orderBy('exam_questions.position')
    .orderBy('questions.id')
    .execute();
  const questions = rows.map((row) => contentQuestion(row, row.score));
  return assemble({ examId, ...exam }, questions, await readCases(query, questions, null));
}

/** A version that a correction has replaced, with its questions and cases as they stood before that correction. */
async function readKept(
  query: Query,
  kept: Pick<
    Selectable<PaperRevisions>,
    'exam_id' | 'version' | 'partial' | 'sections' | 'correction_id' | 'questions' | 'overrides'
  >,
): Promise<Content> {
  const { exam_id: examId, version, partial, sections, correction_id: replacedBy } = kept;
  const list = JSON.parse(kept.questions) as RevisionList;
  const overrides = JSON.parse(kept.overrides) as KeyOverrides;
  const rows = new Map<number, QuestionRow>();
  for (const ids of inLists(list.map(([id]) => id))) {
    const now = await query
      .selectFrom('questions')
      .select(['id', 'difficulty', ...QUESTION_COLUMNS])
      .where('id', 'in', ids)
      .execute();
    for (const row of now) rows.set(row.id, row);
    const before = await query
      .selectFrom('question_revisions')
      .select(['question_id as id', ...QUESTION_COLUMNS])
      .where('question_id', 'in', ids)
      .where('correction_id', '>=', replacedBy)
      .orderBy('correction_id', 'desc')
      .execute();
    // The earliest last: it stands.
    for (const row of before) rows.set(row.id, { ...row, difficulty: rows.get(row.id)?.difficulty ?? null });
  }
  const questions = list.flatMap(([id, score]) => {
    const row = rows.get(id);
    return row ? [contentQuestion(row, score, overrides[id])] : [];
  });
  const cases = await readCases(query, questions, replacedBy);
  return assemble({ examId, version, partial, sections }, questions, cases);
}

/** @param replacedBy the correction before which the cases are wanted; null: as they are now */
async function readCases(
  query: Query,
  questions: readonly ContentQuestion[],
  replacedBy: number | null,
): Promise<Content['cases']> {
  const caseIds = [...new Set(questions.map((question) => question.caseId).filter((id) => id !== null))];
  const cases = new Map<number, Content['cases'][number]>();
  for (const ids of inLists(caseIds)) {
    const now = await query.selectFrom('cases').select(['id', 'title', 'text']).where('id', 'in', ids).execute();
    for (const row of now) cases.set(row.id, row);
    if (replacedBy === null) continue;
    const before = await query
      .selectFrom('case_revisions')
      .select(['case_id as id', 'title', 'text'])
      .where('case_id', 'in', ids)
      .where('correction_id', '>=', replacedBy)
      .orderBy('correction_id', 'desc')
      .execute();
    for (const row of before) cases.set(row.id, row);
  }
  return [...cases.values()].sort((a, b) => a.id - b.id);
}

function assemble(
  paper: { examId: number; version: number; partial: number | null; sections: string },
  questions: readonly ContentQuestion[],
  cases: Content['cases'],
): Content {
  const byId = new Map(questions.map((question) => [question.questionId, question]));
  const sections = (JSON.parse(paper.sections) as Section[]).map((section) => ({
    title: section.title,
    questionIds: section.questionIds.filter((id) => byId.has(id)),
  }));
  return { ...paper, sections, questions, byId, cases, similar: [] };
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
