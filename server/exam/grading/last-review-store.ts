import type { NotedReview } from '#rules/exam/review.ts';
import type { Db, Trx } from '#server/db/open.ts';

/** A student's review of a question. */
interface Reviewed {
  userId: number;
  questionId: number;
}

/**
 * What a student said last when reviewing a question; null: nothing yet, so this review is noted for it. Held until the transaction ends: of two
 * at once the second waits for the first, and reads what that one said.
 */
export async function holdLastReview(
  { kind }: Pick<Db, 'kind'>,
  trx: Trx,
  { userId, questionId }: Reviewed,
  { day, said, at }: NotedReview,
): Promise<NotedReview | null> {
  const first = await trx
    .insertInto('last_reviews')
    .values({ user_id: userId, question_id: questionId, day, said, reviewed_at: at })
    .onConflict((conflict) => conflict.columns(['user_id', 'question_id']).doNothing())
    .returning('user_id')
    .executeTakeFirst();
  if (first) return null;
  const row = trx
    .selectFrom('last_reviews')
    .select(['day', 'said', 'reviewed_at as at'])
    .where('user_id', '=', userId)
    .where('question_id', '=', questionId);
  return (kind === 'postgres' ? row.forUpdate() : row).executeTakeFirstOrThrow();
}

/** Notes a later review of a question that is held. */
export async function noteReview(
  trx: Trx,
  { userId, questionId }: Reviewed,
  { day, said, at }: NotedReview,
): Promise<void> {
  await trx
    .updateTable('last_reviews')
    .set({ day, said, reviewed_at: at })
    .where('user_id', '=', userId)
    .where('question_id', '=', questionId)
    .execute();
}
