import type { BankQuestion } from '#rules/exam/random-paper.ts';
import type { Sibling } from '#rules/exam/stand-in.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';
import { PairMap } from '../pair-map.ts';

/** Which questions on offer of a pack are meant. */
interface BankFilter {
  packId: number;
  /** Left out: of the whole pack. */
  chapterIds?: readonly number[] | undefined;
  questionTypesId?: number | undefined;
}

/** Questions that the student who asks may not draw (`VisibleGrades.undrawable`). */
interface Without {
  without: ReadonlySet<number>;
}

/** Questions that can stand in something new. */
function onOffer(query: Query, { packId, chapterIds, questionTypesId }: BankFilter) {
  let rows = query
    .selectFrom('questions')
    .where('questions.pack_id', '=', packId)
    .where('questions.archived', '=', 0)
    .where('questions.grade_mode', '<>', 'void');
  if (chapterIds !== undefined) rows = rows.where('questions.chapter_id', 'in', padded(chapterIds));
  if (questionTypesId !== undefined) rows = rows.where('questions.question_types_id', '=', questionTypesId);
  return rows;
}

/**
 * How many questions of each type can be drawn from each chapter of a pack by itself.
 * @param without questions that its student may not draw (`VisibleGrades.undrawable`)
 */
export async function countBank(
  query: Query,
  packId: number,
  without: ReadonlySet<number>,
): Promise<Map<number, { questionTypesId: number; count: number }[]>> {
  const rows = await onOffer(query, { packId })
    .select(({ fn }) => ['chapter_id', 'question_types_id', fn.countAll<number>().as('count')])
    .groupBy(['chapter_id', 'question_types_id'])
    .orderBy('chapter_id')
    .orderBy('question_types_id')
    .execute();
  const left = new PairMap<number>();
  for (const ids of inLists([...without])) {
    const rows = await onOffer(query, { packId })
      .select(['chapter_id', 'question_types_id'])
      .where('id', 'in', ids)
      .execute();
    for (const { chapter_id, question_types_id } of rows)
      left.set(chapter_id, question_types_id, (left.get(chapter_id, question_types_id) ?? 0) + 1);
  }
  const byChapter = Map.groupBy(rows, (row) => row.chapter_id);
  return new Map(
    [...byChapter].map(([chapterId, types]) => [
      chapterId,
      types
        .map((row) => ({
          questionTypesId: row.question_types_id,
          count: Number(row.count) - (left.get(chapterId, row.question_types_id) ?? 0),
        }))
        .filter(({ count }) => count > 0),
    ]),
  );
}

/** How many questions of a pack can stand in something new, `without` those that its student may not draw. */
export async function countOnOffer(query: Query, packId: number, without: ReadonlySet<number>): Promise<number> {
  let count = 0;
  for (const types of (await countBank(query, packId, without)).values()) for (const type of types) count += type.count;
  return count;
}

/** Questions of a pack that a student may draw and never answered, by the chapter they stand in. */
export async function countUnanswered(
  query: Query,
  { userId, packId, chapterIds, without }: Omit<BankFilter, 'questionTypesId'> & Without & { userId: number },
): Promise<Map<number, number>> {
  const unanswered = () =>
    onOffer(query, { packId, chapterIds }).where('questions.id', 'not in', answeredBy(query, userId, packId));
  const rows = await unanswered()
    .select(({ fn }) => ['questions.chapter_id', fn.countAll<number>().as('count')])
    .groupBy('questions.chapter_id')
    .execute();
  const counts = new Map(rows.map((row) => [row.chapter_id, Number(row.count)]));
  for (const ids of inLists([...without])) {
    const left = await unanswered().select('questions.chapter_id').where('questions.id', 'in', ids).execute();
    for (const { chapter_id } of left) counts.set(chapter_id, (counts.get(chapter_id) ?? 0) - 1);
  }
  return counts;
}

/** The first questions of a pack, for what is asked of some of them. */
export async function readSomeIds(query: Query, packId: number, most: number): Promise<number[]> {
  const rows = await onOffer(query, { packId }).select('questions.id').orderBy('questions.id').limit(most).execute();
  return rows.map((row) => row.id);
}

/** What a student answered at least once in records of a pack. */
function answeredBy(query: Query, userId: number, packId: number) {
  return recordedBy(query, userId, packId).where('exam_answers.answer', '<>', '');
}

function recordedBy(query: Query, userId: number, packId: number) {
  return query
    .selectFrom('exam_records')
    .innerJoin('exam_answers', 'exam_answers.record_id', 'exam_records.id')
    .select('exam_answers.question_id')
    .where('exam_records.user_id', '=', userId)
    .where('exam_records.pack_id', '=', packId);
}

/** Questions that can be drawn, with when a student last saved an answer to each: all that drawing a paper knows of them. */
export async function readBank(
  query: Query,
  userId: number,
  { without, ...filter }: BankFilter & Without,
): Promise<BankQuestion[]> {
  const rows = await onOffer(query, filter)
    .select(['id', 'question_types_id', 'case_id', 'position'])
    .orderBy('position')
    .orderBy('id')
    .execute();
  const answered = await query
    .selectFrom('exam_records')
    .innerJoin('exam_answers', 'exam_answers.record_id', 'exam_records.id')
    .select(({ fn }) => ['exam_answers.question_id', fn.max<number>('exam_answers.saved_at').as('at')])
    .where('exam_records.user_id', '=', userId)
    .where('exam_records.pack_id', '=', filter.packId)
    .where('exam_answers.answer', '<>', '')
    .groupBy('exam_answers.question_id')
    .execute();
  const answeredAt = new Map(answered.map((row) => [row.question_id, Number(row.at)]));
  const drawable = rows.filter(({ id }) => !without.has(id));
  return drawable.map((row) => ({
    questionId: row.id,
    questionTypesId: row.question_types_id,
    caseId: row.case_id,
    position: row.position,
    answeredAt: answeredAt.get(row.id) ?? null,
  }));
}

/** The first questions on offer that a student never answered, or has marked in any record, in the order of the pack. */
export async function readPracticeIds(
  query: Query,
  {
    userId,
    only,
    most,
    without,
    ...filter
  }: BankFilter & Without & { userId: number; only: 'unanswered' | 'flagged'; most: number },
): Promise<number[]> {
  const own =
    only === 'flagged'
      ? recordedBy(query, userId, filter.packId).where('exam_answers.flag', '=', 1)
      : answeredBy(query, userId, filter.packId);
  const rows = await onOffer(query, filter)
    .select('questions.id')
    .where('questions.id', only === 'flagged' ? 'in' : 'not in', own)
    .orderBy('questions.position')
    .orderBy('questions.id')
    .limit(most + without.size)
    .execute();
  const drawable = rows.map((row) => row.id).filter((id) => !without.has(id));
  return drawable.slice(0, most);
}

/** Most questions of one knowledge point that are looked at. */
const MOST_SIBLINGS = 200;

/**
 * For each of these questions that says its knowledge point, others of the pack with the same one; not those that read the same, nor
 * those that `without` names.
 */
export async function readSiblings(
  query: Query,
  {
    userId,
    packId,
    questionIds,
    without,
  }: { userId: number; packId: number; questionIds: readonly number[]; without: ReadonlySet<number> },
): Promise<Map<number, Sibling[]>> {
  const found = new Map<number, Sibling[]>();
  const asked: { id: number; point: string; fingerprint: string }[] = [];
  for (const ids of inLists(questionIds)) {
    const rows = await query
      .selectFrom('questions')
      .select(['id', 'knowledge_point', 'fingerprint'])
      .where('id', 'in', ids)
      .where('knowledge_point', 'is not', null)
      .execute();
    for (const { id, knowledge_point, fingerprint } of rows)
      if (knowledge_point !== null) asked.push({ id, point: knowledge_point, fingerprint });
  }
  for (const [point, of] of Map.groupBy(asked, (question) => question.point)) {
    const rows = await onOffer(query, { packId })
      .select(['id', 'fingerprint'])
      .where('knowledge_point', '=', point)
      .orderBy('id')
      .limit(MOST_SIBLINGS)
      .execute();
    const others = rows.filter(({ id }) => !without.has(id));
    if (others.length === 0) continue;
    const answered = await query
      .selectFrom('exam_records')
      .innerJoin('exam_answers', 'exam_answers.record_id', 'exam_records.id')
      .select(({ fn }) => ['exam_answers.question_id', fn.max<number>('exam_answers.saved_at').as('at')])
      .where('exam_records.user_id', '=', userId)
      .where('exam_records.pack_id', '=', packId)
      .where('exam_answers.question_id', 'in', padded(others.map(({ id }) => id)))
      .where('exam_answers.answer', '<>', '')
      .groupBy('exam_answers.question_id')
      .execute();
    const answeredAt = new Map(answered.map((row) => [row.question_id, Number(row.at)]));
    for (const { id, fingerprint } of of)
      found.set(
        id,
        others
          .filter((other) => other.id !== id && other.fingerprint !== fingerprint)
          .map((other) => ({ questionId: other.id, answeredAt: answeredAt.get(other.id) ?? null })),
      );
  }
  return found;
}
