import type { Layout } from '#rules/exam/shuffle.ts';
import type { Trx } from '#server/db/open.ts';

/**
 * A record in progress that shows its paper in the paper's own order keeps the order it began with (decisions §3 "with the
 * same question and option order"): what is new stands at its end, what the school took away is gone. Called before the
 * list of questions changes.
 * @param before the list as those records began with it
 */
export async function freezeOpenRecords(
  trx: Trx,
  examId: number,
  before: readonly { questionId: number; position: number }[],
): Promise<void> {
  const inOrder = [...before].sort((a, b) => a.position - b.position || a.questionId - b.questionId);
  const layout: Layout = { order: inOrder.map(({ questionId }) => questionId) };
  await trx
    .updateTable('exam_records')
    .set({ layout: JSON.stringify(layout) })
    .where('exam_id', '=', examId)
    .where('submitted_at', 'is', null)
    .where('layout', 'is', null)
    .execute();
}
