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

/** What began, what was handed in and what was opened again of somebody's records, as a word that is another one after each of them. */
export async function sittingsOf(query: Query, userId: number): Promise<string> {
  const { again } = await query
    .selectFrom('record_reopenings')
    .innerJoin('exam_records', 'exam_records.id', 'record_reopenings.record_id')
    .select(({ fn }) => fn.countAll<number>().as('again'))
    .where('exam_records.user_id', '=', userId)
    .executeTakeFirstOrThrow();
  const { begun, closed } = await query
    .selectFrom('exam_records')
    .select(({ fn }) => [fn.countAll<number>().as('begun'), fn.count<number>('submitted_at').as('closed')])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return `${begun} ${closed} ${again}`;
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
