import type { Query, Trx } from '#server/db/open.ts';

/** Keeps what an answer said until now. */
export async function addRevision(
  trx: Trx,
  { entryId, revision, text, savedAt }: { entryId: number; revision: number; text: string; savedAt: number },
): Promise<void> {
  await trx
    .insertInto('qa_revisions')
    .values({ entry_id: entryId, revision, feedback_desc: text, saved_at: savedAt })
    .execute();
}

/** What an answer said before, newest first. */
export async function readRevisions(
  query: Query,
  entryId: number,
): Promise<{ revision: number; feedbackDesc: string; savedAt: number }[]> {
  return query
    .selectFrom('qa_revisions')
    .select(['revision', 'feedback_desc as feedbackDesc', 'saved_at as savedAt'])
    .where('entry_id', '=', entryId)
    .orderBy('revision', 'desc')
    .execute();
}

/** A canned phrase. */
interface Phrase {
  id: number;
  phrase: string;
}

/** A teacher's phrases, those used last first. */
export async function readPhrases(query: Query, userId: number): Promise<Phrase[]> {
  return query
    .selectFrom('qa_phrases')
    .select(['id', 'phrase'])
    .where('user_id', '=', userId)
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Keeps a phrase. @returns it; null: there are `most` already */
export async function addPhrase(
  trx: Trx,
  { userId, phrase, now, most }: { userId: number; phrase: string; now: number; most: number },
): Promise<Phrase | null> {
  const own = await readPhrases(trx, userId);
  const same = own.find((kept) => kept.phrase === phrase);
  if (same) return same;
  if (own.length >= most) return null;
  return trx
    .insertInto('qa_phrases')
    .values({ user_id: userId, phrase, used_at: now })
    .returning(['id', 'phrase'])
    .executeTakeFirstOrThrow();
}

/** Changes an own phrase. @returns it; undefined: it is none of theirs */
export async function changePhrase(
  query: Query,
  { id, userId, phrase, now }: { id: number; userId: number; phrase: string; now: number },
): Promise<Phrase | undefined> {
  return query
    .updateTable('qa_phrases')
    .set({ phrase, used_at: now })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(['id', 'phrase'])
    .executeTakeFirst();
}

/** Deletes an own phrase; of nobody else's it leaves every one. */
export async function deletePhrase(query: Query, userId: number, id: number): Promise<void> {
  await query.deleteFrom('qa_phrases').where('id', '=', id).where('user_id', '=', userId).execute();
}
