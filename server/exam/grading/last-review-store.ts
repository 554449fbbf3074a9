import type { Trx } from '#server/db/open.ts';

/**
 * Notes what a student said when reviewing one question. Said again on the same day (a request that is sent twice, a second press), with
 * no mistake or guess since, it is the same review. Of two at once the second waits for the first.
 * @param review.day China's day (rules/exam/schedule.ts `dayOf`)
 * @param review.mistakeAt of the newest mistake or guess in the wrong-question list; 0: there is none. Epoch milliseconds, as `at`
 * @returns whether it is a review of its own
 */
export async function noteReview(
  trx: Trx,
  review: { userId: number; questionId: number; day: number; said: 'right' | 'wrong'; at: number; mistakeAt: number },
): Promise<boolean> {
  const { userId, questionId, day, said, at, mistakeAt } = review;
  const noted = await trx
    .insertInto('last_reviews')
    .values({ user_id: userId, question_id: questionId, day, said, reviewed_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'question_id'])
        .doUpdateSet({ day, said, reviewed_at: at })
        .where(({ or, eb }) =>
          or([
            eb('last_reviews.day', '<>', day),
            eb('last_reviews.said', '<>', said),
            eb('last_reviews.reviewed_at', '<', mistakeAt),
          ]),
        ),
    )
    .returning('user_id')
    .executeTakeFirst();
  return noted !== undefined;
}
