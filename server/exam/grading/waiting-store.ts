import type { RescoreLeg } from '#rules/exam/rescore-ways.ts';
import { inLists } from '#server/db/batches.ts';
import type { Query } from '#server/db/open.ts';
import { undoneLegs } from '../paper/teacher-correction-store.ts';

/** The re-scoring of papers of the school that is not done yet, of all papers that these corrections touch. */
export async function readLegs(
  query: Query,
  correctionIds: readonly number[],
): Promise<(RescoreLeg & { correctionId: number })[]> {
  const examIds = new Set<number>();
  for (const ids of inLists(correctionIds)) {
    const rows = await query
      .selectFrom('rescore_tasks')
      .select('exam_id')
      .distinct()
      .where('correction_id', 'in', ids)
      .where('done', '=', 0)
      .execute();
    for (const row of rows) examIds.add(row.exam_id);
  }
  return undoneLegs(query, [...examIds]);
}

/** The students of closed records of a version, one for each record, as far as they have anything open. */
export async function closedOfSitters(query: Query, examId: number, version: number): Promise<number[]> {
  const rows = await query
    .selectFrom('exam_records')
    .select('user_id')
    .where('exam_id', '=', examId)
    .where('version', '=', version)
    .where('submitted_at', 'is not', null)
    .where('user_id', 'in', sitters(query))
    .execute();
  return rows.map((row) => row.user_id);
}

/** Whoever has anything open. */
const sitters = (query: Query) =>
  query.selectFrom('exam_records as open').select('open.user_id').where('open.submitted_at', 'is', null);

/** How many open records of papers that students put together each of these corrections comes to once they are handed in. */
export async function countOpenOwn(query: Query, correctionIds: readonly number[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const ids of inLists(correctionIds)) {
    const rows = await query
      .selectFrom('own_records_on_way')
      .innerJoin('exam_records', 'exam_records.id', 'own_records_on_way.record_id')
      .select(({ fn }) => ['own_records_on_way.correction_id', fn.countAll<number>().as('count')])
      .where('own_records_on_way.correction_id', 'in', ids)
      // One that is due was not looked at yet, and may not be come to.
      .where('own_records_on_way.due', '=', 0)
      .where('exam_records.submitted_at', 'is', null)
      .groupBy('own_records_on_way.correction_id')
      .execute();
    for (const row of rows) counts.set(row.correction_id, Number(row.count));
  }
  return counts;
}

/** A closed record of a paper that its student put together, who has something open, and a correction that comes to it yet. */
interface OwnOnWay {
  recordId: number;
  userId: number;
  correctionId: number;
  questionId: number;
}

/** Such records of these corrections, with every correction that comes to them, by record and in their order. */
export async function closedOwnOfSitters(query: Query, correctionIds: readonly number[]): Promise<OwnOnWay[]> {
  const recordIds = new Map<number, number>();
  for (const ids of inLists(correctionIds)) {
    const rows = await query
      .selectFrom('own_records_on_way')
      .innerJoin('exam_records', 'exam_records.id', 'own_records_on_way.record_id')
      .select(['exam_records.id', 'exam_records.user_id'])
      .distinct()
      .where('own_records_on_way.correction_id', 'in', ids)
      .where('exam_records.submitted_at', 'is not', null)
      .where('exam_records.user_id', 'in', sitters(query))
      .execute();
    for (const row of rows) recordIds.set(row.id, row.user_id);
  }
  const found: OwnOnWay[] = [];
  for (const ids of inLists([...recordIds.keys()])) {
    const rows = await query
      .selectFrom('own_records_on_way')
      .innerJoin('question_corrections', 'question_corrections.correction_id', 'own_records_on_way.correction_id')
      .select(['record_id', 'own_records_on_way.correction_id', 'question_id'])
      .where('record_id', 'in', ids)
      .orderBy('record_id')
      .orderBy('own_records_on_way.correction_id')
      .execute();
    for (const { record_id: recordId, correction_id: correctionId, question_id: questionId } of rows)
      if (questionId !== null) found.push({ recordId, userId: recordIds.get(recordId) ?? 0, correctionId, questionId });
  }
  return found;
}
