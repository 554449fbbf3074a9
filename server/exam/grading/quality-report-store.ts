import type { Trx } from '#server/db/open.ts';

/**
 * Notes how many undecided reports a question has; how much it needs a look is found anew by the job.
 * @param count counted once the row is held, so that of two reports at once none is missed
 */
export async function noteReports(trx: Trx, questionId: number, count: () => Promise<number>): Promise<void> {
  await trx
    .insertInto('question_quality')
    .columns(['question_id', 'pack_id', 'stale'])
    .expression(
      trx
        .selectFrom('questions')
        .select(({ lit }) => ['id', 'pack_id', lit(1).as('stale')])
        .where('id', '=', questionId),
    )
    .onConflict((conflict) =>
      conflict.column('question_id').doUpdateSet(({ ref }) => ({ stale: ref('excluded.stale') })),
    )
    .execute();
  await trx
    .updateTable('question_quality')
    .set({ reports: await count() })
    .where('question_id', '=', questionId)
    .execute();
}
