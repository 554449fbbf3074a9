import { sql } from 'kysely';
import type { Query } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';

/** A question in a student's collection (收藏). */
interface Collected {
  questionId: number;
  note: string;
  collectedAt: number;
}

/** Puts a question into a collection, or changes its note; without a note it stays as it is. @returns the note it has now */
export async function collect(
  query: Query,
  {
    userId,
    packId,
    questionId,
    note,
    now,
  }: { userId: number; packId: number; questionId: number; note?: string | undefined; now: number },
): Promise<string> {
  const row = await query
    .insertInto('collected_questions')
    .values({ user_id: userId, pack_id: packId, question_id: questionId, note: note ?? '', collected_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'question_id'])
        .doUpdateSet({ note: note === undefined ? sql`collected_questions.note` : note }),
    )
    .returning('note')
    .executeTakeFirstOrThrow();
  return row.note;
}

/** Takes a question out of a collection; one that is not there is passed over. */
export async function uncollect(query: Query, userId: number, questionId: number): Promise<void> {
  await query
    .deleteFrom('collected_questions')
    .where('user_id', '=', userId)
    .where('question_id', '=', questionId)
    .execute();
}

/** The notes of those of these questions that a student has collected, by question. */
export async function readNotes(
  query: Query,
  userId: number,
  questionIds: readonly number[],
): Promise<Map<number, string>> {
  if (questionIds.length === 0) return new Map();
  const rows = await query
    .selectFrom('collected_questions')
    .select(['question_id', 'note'])
    .where('user_id', '=', userId)
    .where('question_id', 'in', padded(questionIds))
    .execute();
  return new Map(rows.map((row) => [row.question_id, row.note]));
}

/** How many questions of a pack a student has collected. */
export async function countCollected(query: Query, userId: number, packId: number): Promise<number> {
  const { count } = await query
    .selectFrom('collected_questions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('pack_id', '=', packId)
    .executeTakeFirstOrThrow();
  return count;
}

/** A page of a collection, the last collected first. */
export async function readCollected(
  query: Query,
  asked: {
    userId: number;
    packId: number;
    chapterIds?: readonly number[] | undefined;
    questionTypesId?: number | undefined;
    limit: number;
    offset: number;
  },
): Promise<{ list: Collected[]; total: number }> {
  let rows = query
    .selectFrom('collected_questions')
    .innerJoin('questions', 'questions.id', 'collected_questions.question_id')
    .where('collected_questions.user_id', '=', asked.userId)
    .where('collected_questions.pack_id', '=', asked.packId);
  if (asked.chapterIds !== undefined) rows = rows.where('questions.chapter_id', 'in', padded(asked.chapterIds));
  if (asked.questionTypesId !== undefined) rows = rows.where('questions.question_types_id', '=', asked.questionTypesId);
  const { total } = await rows.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = await rows
    .select(['collected_questions.question_id', 'collected_questions.note', 'collected_questions.collected_at'])
    .orderBy('collected_questions.collected_at', 'desc')
    .orderBy('collected_questions.question_id', 'desc')
    .limit(asked.limit)
    .offset(asked.offset)
    .execute();
  return {
    list: page.map((row) => ({ questionId: row.question_id, note: row.note, collectedAt: row.collected_at })),
    total,
  };
}
