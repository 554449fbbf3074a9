import type { Trx } from '#server/db/open.ts';

/**
 * Lets open records end sooner by `by` milliseconds, those that began at `since` or later by the clock as it was. Those that
 * began in the moment in which it was set back (`setBack`) began by the new clock. @returns how many
 */
export async function endSooner(
  trx: Trx,
  { by, since, setBack }: { by: number; since: number; setBack: { from: number; to: number } },
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('exam_records')
    .set(({ eb }) => ({ ends_at: eb('ends_at', '-', by) }))
    .where('submitted_at', 'is', null)
    .where('ends_at', 'is not', null)
    .where('started_at', '>=', since)
    .where(({ eb, or }) => or([eb('started_at', '<', setBack.from), eb('started_at', '>', setBack.to)]))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
