import type { Db, Query } from '#server/db/open.ts';

/**
 * Says of corrections that they are done once no record comes to them any more: no task of them is left (rescore.ts), and of papers that students put together
 * all are looked through and none is on its way (rescore-own.ts). Both chores ask at the end of each run, so a server that was killed before it
 * was said says it when it is back.
 */
export async function endCorrections(db: Db, now: number): Promise<void> {
  const ended = await endedOnly(db.query).orderBy('question_corrections.correction_id').execute();
  // Each by itself: what runs beside this holds them in an order of its own.
  for (const { correction_id: correctionId } of ended)
    await db.transaction(async (trx) => {
      // Held first: who lists a late record for one of them (`listClosedOwn`) is either done by now, and found, or says after this that it is not.
      await trx
        .updateTable('question_corrections')
        .set(({ ref }) => ({ done_at: ref('done_at') }))
        .where('correction_id', '=', correctionId)
        .execute();
      await trx
        .updateTable('question_corrections')
        .set({ done_at: now })
        .where('correction_id', '=', correctionId)
        .where('correction_id', 'in', endedOnly(trx))
        .execute();
    });
}

/** Corrections that no record comes to any more, of those of which that is not said yet. */
const endedOnly = (query: Query) =>
  query
    .selectFrom('question_corrections')
    .select('question_corrections.correction_id')
    .where('question_corrections.done_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('rescore_tasks')
            .select('rescore_tasks.exam_id')
            .whereRef('rescore_tasks.correction_id', '=', 'question_corrections.correction_id')
            .where('rescore_tasks.done', '=', 0),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('own_rescores')
            .select('own_rescores.done')
            .whereRef('own_rescores.correction_id', '=', 'question_corrections.correction_id')
            .where('own_rescores.done', '=', 0),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('own_records_on_way')
            .select('own_records_on_way.record_id')
            .whereRef('own_records_on_way.correction_id', '=', 'question_corrections.correction_id'),
        ),
      ),
    );
