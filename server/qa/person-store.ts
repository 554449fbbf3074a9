import type { QaEntryKind } from '#contract/values/qa.ts';
import type { Query, Trx } from '#server/db/open.ts';

/** Some of what somebody wrote and did not delete, by its id. */
export async function readEntriesOf(
  query: Query,
  userId: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; threadId: number | null; kind: QaEntryKind; feedbackDesc: string; createTime: number }[]> {
  return query
    .selectFrom('qa_entries')
    .select(['id', 'thread_id as threadId', 'kind', 'feedback_desc as feedbackDesc', 'created_at as createTime'])
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The pictures of what somebody wrote. */
export async function readImagesOf(query: Query, userId: number): Promise<{ file: string; entryId: number }[]> {
  return query
    .selectFrom('qa_images')
    .innerJoin('qa_entries', 'qa_entries.id', 'qa_images.entry_id')
    .select(['qa_images.file as file', 'qa_images.entry_id as entryId'])
    .where('qa_entries.user_id', '=', userId)
    .where('qa_entries.deleted_at', 'is', null)
    .orderBy('qa_images.entry_id')
    .orderBy('qa_images.position')
    .execute();
}

/** Takes away the pictures of what somebody wrote, what they looked for, and their ready phrases. */
export async function deletePicturesOf(trx: Trx, userId: number): Promise<void> {
  await trx
    .deleteFrom('qa_images')
    .where('entry_id', 'in', trx.selectFrom('qa_entries').select('id').where('user_id', '=', userId))
    .execute();
  await trx.deleteFrom('qa_key_people').where('user_id', '=', userId).execute();
  await trx.deleteFrom('qa_phrases').where('user_id', '=', userId).execute();
}
