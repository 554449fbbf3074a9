import type { Query, Trx } from '#server/db/open.ts';

/** What somebody answered in one record, in the order of the questions' ids. */
export async function readOwnAnswers(
  query: Query,
  recordId: number,
): Promise<{ questionId: number; answer: string | null; flag: number; savedAt: number }[]> {
  return query
    .selectFrom('exam_answers')
    .select(['question_id as questionId', 'answer', 'flag', 'saved_at as savedAt'])
    .where('record_id', '=', recordId)
    .orderBy('question_id')
    .execute();
}

/** Some of the questions that somebody keeps, with their notes, by the question's id. */
export async function readKept(
  query: Query,
  userId: number,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; packId: number; note: string; collectedAt: number }[]> {
  return query
    .selectFrom('collected_questions')
    .select(['question_id as id', 'pack_id as packId', 'note', 'collected_at as collectedAt'])
    .where('user_id', '=', userId)
    .where('question_id', '>', after)
    .orderBy('question_id')
    .limit(limit)
    .execute();
}

/** Takes away what somebody kept and noted for themself alone. */
export async function deleteKept(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('collected_questions').where('user_id', '=', userId).execute();
  await trx.deleteFrom('study_settings').where('user_id', '=', userId).execute();
}
