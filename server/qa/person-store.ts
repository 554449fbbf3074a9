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

/** Some of what somebody asks too (同问), by the question's id. */
export async function readFlagsOf(
  query: Query,
  userId: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; flag: '同问'; createTime: number }[]> {
  const rows = await query
    .selectFrom('qa_flags')
    .select(['thread_id as id', 'created_at as createTime'])
    .where('user_id', '=', userId)
    .where('thread_id', '>', after)
    .orderBy('thread_id')
    .limit(limit)
    .execute();
  return rows.map(({ id, createTime }) => ({ id, flag: '同问', createTime }));
}

/** Some of what somebody finds useful (有用), by the answer's id. */
export async function readUsefulOf(
  query: Query,
  userId: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; flag: '有用'; createTime: number }[]> {
  const rows = await query
    .selectFrom('qa_useful')
    .select(['entry_id as id', 'created_at as createTime'])
    .where('user_id', '=', userId)
    .where('entry_id', '>', after)
    .orderBy('entry_id')
    .limit(limit)
    .execute();
  return rows.map(({ id, createTime }) => ({ id, flag: '有用', createTime }));
}

/**
 * Takes away the pictures of what somebody wrote, what they looked for, their ready phrases, and who it was that asks the same or
 * found an answer useful. How many did stays, as the words that they wrote stay.
 */
export async function forgetQaOf(trx: Trx, userId: number): Promise<void> {
  await trx
    .deleteFrom('qa_images')
    .where('entry_id', 'in', trx.selectFrom('qa_entries').select('id').where('user_id', '=', userId))
    .execute();
  await trx.deleteFrom('qa_key_people').where('user_id', '=', userId).execute();
  await trx.deleteFrom('qa_phrases').where('user_id', '=', userId).execute();
  await trx.deleteFrom('qa_flags').where('user_id', '=', userId).execute();
  await trx.deleteFrom('qa_useful').where('user_id', '=', userId).execute();
}
