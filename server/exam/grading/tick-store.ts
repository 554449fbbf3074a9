import type { Query, Trx } from '#server/db/open.ts';

/** Keeps which scoring points of a question a student ticked, in place of what they ticked before. */
export async function saveTicks(
  trx: Trx,
  recordId: number,
  questionId: number,
  ticks: readonly number[],
): Promise<void> {
  await trx
    .insertInto('point_ticks')
    .values({ record_id: recordId, question_id: questionId, ticks: JSON.stringify(ticks) })
    .onConflict((conflict) =>
      conflict.columns(['record_id', 'question_id']).doUpdateSet((set) => ({ ticks: set.ref('excluded.ticks') })),
    )
    .execute();
}

/** What a student ticked in a record, by question. */
export async function readTicks(query: Query, recordId: number): Promise<Map<number, number[]>> {
  const rows = await query
    .selectFrom('point_ticks')
    .select(['question_id', 'ticks'])
    .where('record_id', '=', recordId)
    .execute();
  return new Map(rows.map((row) => [row.question_id, JSON.parse(row.ticks) as number[]]));
}

/** Forgets the ticks of a record, as of its scores, when it is opened again. */
export async function forgetTicks(trx: Trx, recordId: number): Promise<void> {
  await trx.deleteFrom('point_ticks').where('record_id', '=', recordId).execute();
}
