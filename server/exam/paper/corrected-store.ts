import type { DataOf } from '#contract/call.ts';
import type { ReviewExam } from '#contract/exam.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query } from '#server/db/open.ts';
import { asShownWithKey, type Content, type ContentQuestion } from './content.ts';
import { contentQuestion, QUESTION_COLUMNS } from './content-store.ts';
import { ownPaperOf } from './own-paper-store.ts';

type Noted = NonNullable<DataOf<typeof ReviewExam>['questions'][number]['correction']>;

/**
 * What a school has corrected since in the questions of a paper that a record began with, by question; empty while the paper
 * is the one on offer, and where the school did not want it noted. With keys: for records that are over, and for questions
 * that may be revealed.
 */
export async function readCorrections(
  query: Query,
  { examId, version, cases }: Content,
  questions: readonly ContentQuestion[],
): Promise<Map<number, Noted>> {
  const noted = new Map<number, Noted>();
  const own = (await ownPaperOf(query, examId)) !== null;
  const since = own ? version : await replacedBy(query, examId, version);
  if (since === null || !(await anyNoted(query, examId, since))) return noted;
  const points = own
    ? new Map(questions.map(({ questionId, listed }) => [questionId, listed]))
    : await readPoints(query, examId);
  const dates = await readDates(query, questions, since);
  const now = await readNow(query, questions, points);
  const materials = new Map(cases.map(({ id, text }) => [id, text]));
  const nowMaterials = await readMaterials(query, [...now.values()]);
  for (const before of questions) {
    const { questionId, score } = before;
    const after = now.get(questionId);
    const removed = !points.has(questionId);
    const correctedAt = dates.get(questionId) ?? null;
    if (!after) continue;
    const material = (texts: ReadonlyMap<number, string>, { caseId }: ContentQuestion) =>
      caseId === null ? '' : (texts.get(caseId) ?? '');
    const reads =
      correctedAt !== null &&
      (after.type !== before.type ||
        after.topic !== before.topic ||
        JSON.stringify(after.options) !== JSON.stringify(before.options) ||
        after.right !== before.right ||
        after.gradeMode !== before.gradeMode ||
        after.analysis !== before.analysis ||
        !samePoints(after, before) ||
        material(nowMaterials, after) !== material(materials, before));
    if (!reads && !removed && after.score === score) continue;
    const shown = reads || after.score !== score ? asShownWithKey(after, null, null) : null;
    noted.set(questionId, { correctedAt: reads ? correctedAt : null, removed, question: shown });
  }
  return noted;
}

/** Whether scoring points say the same; their weights as shares of the question, whose points are compared by themselves. */
function samePoints(one: ContentQuestion, other: ContentQuestion): boolean {
  const said = ({ points, listed }: ContentQuestion) =>
    JSON.stringify(points.map(({ text, weight }) => [text, Math.round((weight / listed) * 1000)]));
  return said(one) === said(other);
}

/** The correction that replaced a version of a paper; null while it is the one on offer. */
async function replacedBy(query: Query, examId: number, version: number): Promise<number | null> {
  const kept = await query
    .selectFrom('paper_revisions')
    .select('correction_id')
    .where('exam_id', '=', examId)
    .where('version', '=', version)
    .executeTakeFirst();
  return kept?.correction_id ?? null;
}

/** Whether any correction of a paper's pack, from this one on, is to be noted. */
async function anyNoted(query: Query, examId: number, since: number): Promise<boolean> {
  const row = await query
    .selectFrom('corrections')
    .innerJoin('exams', 'exams.pack_id', 'corrections.pack_id')
    .select('corrections.id')
    .where('exams.id', '=', examId)
    .where('corrections.id', '>=', since)
    .where('corrections.noted', '=', 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The points that the questions of a paper give now, by question. */
async function readPoints(query: Query, examId: number): Promise<Map<number, number>> {
  const rows = await query
    .selectFrom('exam_questions')
    .select(['question_id', 'score'])
    .where('exam_id', '=', examId)
    .execute();
  return new Map(rows.map((row) => [row.question_id, row.score]));
}

/** When each question was last corrected, of corrections from this one on that are to be noted. */
async function readDates(
  query: Query,
  questions: readonly ContentQuestion[],
  since: number,
): Promise<Map<number, number>> {
  const dates = new Map<number, number>();
  for (const ids of inLists(questions.map(({ questionId }) => questionId))) {
    const rows = await query
      .selectFrom('question_revisions')
      .innerJoin('corrections', 'corrections.id', 'question_revisions.correction_id')
      .select(({ fn }) => ['question_revisions.question_id', fn.max<number>('corrections.made_at').as('at')])
      .where('question_revisions.question_id', 'in', ids)
      .where('corrections.id', '>=', since)
      .where('corrections.noted', '=', 1)
      .groupBy('question_revisions.question_id')
      .execute();
    for (const { question_id, at } of rows) dates.set(question_id, Number(at));
  }
  return dates;
}

/** The questions as they stand now, with the points they give now; those that were taken out with the points they gave. */
async function readNow(
  query: Query,
  questions: readonly ContentQuestion[],
  points: ReadonlyMap<number, number>,
): Promise<Map<number, ContentQuestion>> {
  const gave = new Map(questions.map(({ questionId, listed }) => [questionId, listed]));
  const now = new Map<number, ContentQuestion>();
  for (const ids of inLists([...gave.keys()])) {
    const rows = await query
      .selectFrom('questions')
      .select(['id', 'difficulty', ...QUESTION_COLUMNS])
      .where('id', 'in', ids)
      .execute();
    for (const row of rows) now.set(row.id, contentQuestion(row, points.get(row.id) ?? gave.get(row.id) ?? 0));
  }
  return now;
}

/** The texts of the case material of questions as they stand now. */
async function readMaterials(query: Query, questions: readonly ContentQuestion[]): Promise<Map<number, string>> {
  const texts = new Map<number, string>();
  for (const ids of inLists([...new Set(questions.map(({ caseId }) => caseId).filter((id) => id !== null))])) {
    const rows = await query.selectFrom('cases').select(['id', 'text']).where('id', 'in', ids).execute();
    for (const { id, text } of rows) texts.set(id, text);
  }
  return texts;
}
