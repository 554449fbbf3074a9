import { inLists } from '#server/db/batches.ts';
import type { Query } from '#server/db/open.ts';

/**
 * Questions that stand in a reserved paper on offer: they are kept for it, so no practice has them (decision 052). A paper that is taken back, or is reserved
 * no more, gives them to practice with the import that says so.
 */
export const reservedQuestions = (query: Query) =>
  query
    .selectFrom('exams as reserving')
    .innerJoin('exam_questions as reserved', 'reserved.exam_id', 'reserving.id')
    .select('reserved.question_id')
    .where('reserving.reserved', '=', 1)
    .where('reserving.archived', '=', 0);

/** Those of these questions that are reserved. */
export async function readReserved(query: Query, questionIds: readonly number[]): Promise<Set<number>> {
  const found = new Set<number>();
  for (const ids of inLists(questionIds)) {
    const rows = await reservedQuestions(query).where('reserved.question_id', 'in', ids).distinct().execute();
    for (const row of rows) found.add(row.question_id);
  }
  return found;
}
