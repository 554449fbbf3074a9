import type { Query, Trx } from '#server/db/open.ts';

/** Some of somebody's reports, by their id; what teachers answered stands on its own page. */
export async function readReportsOf(
  query: Query,
  userId: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; packId: number; feedbackType: number; feedbackDesc: string; createdAt: number }[]> {
  return query
    .selectFrom('exam_feedback')
    .select([
      'id',
      'pack_id as packId',
      'feedback_type as feedbackType',
      'feedback_desc as feedbackDesc',
      'created_at as createdAt',
    ])
    .where('user_id', '=', userId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The pictures of somebody's reports. */
export async function readReportImagesOf(query: Query, userId: number): Promise<{ file: string; reportId: number }[]> {
  return query
    .selectFrom('feedback_images')
    .innerJoin('exam_feedback', 'exam_feedback.id', 'feedback_images.feedback_id')
    .select(['feedback_images.file as file', 'feedback_images.feedback_id as reportId'])
    .where('exam_feedback.user_id', '=', userId)
    .orderBy('feedback_images.feedback_id')
    .orderBy('feedback_images.position')
    .execute();
}

/** Takes away the pictures of somebody's reports. */
export async function deleteReportImagesOf(trx: Trx, userId: number): Promise<void> {
  await trx
    .deleteFrom('feedback_images')
    .where('feedback_id', 'in', trx.selectFrom('exam_feedback').select('id').where('user_id', '=', userId))
    .execute();
}
