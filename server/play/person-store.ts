import type { Query, Trx } from '#server/db/open.ts';

interface Step {
  after: number;
  limit: number;
}

/** Some of what somebody has seen, by the lesson's id. */
export async function readSeenLessons(
  query: Query,
  userId: number,
  { after, limit }: Step,
): Promise<
  { id: number; lesson: string; packId: number; position: number; finishedAt: number | null; lastAt: number }[]
> {
  return query
    .selectFrom('lesson_progress')
    .innerJoin('lessons', 'lessons.id', 'lesson_progress.lesson_id')
    .select([
      'lessons.id as id',
      'lessons.name as lesson',
      'lesson_progress.pack_id as packId',
      'lesson_progress.position as position',
      'lesson_progress.finished_at as finishedAt',
      'lesson_progress.last_at as lastAt',
    ])
    .where('lesson_progress.user_id', '=', userId)
    .where('lessons.id', '>', after)
    .orderBy('lessons.id')
    .limit(limit)
    .execute();
}

/** Some of somebody's notes, by their id. */
export async function readAllNotes(
  query: Query,
  userId: number,
  { after, limit }: Step,
): Promise<{ id: number; packId: number; lessonId: number; position: number; note: string; updatedAt: number }[]> {
  return query
    .selectFrom('lesson_notes')
    .select(['id', 'pack_id as packId', 'lesson_id as lessonId', 'position', 'note', 'updated_at as updatedAt'])
    .where('user_id', '=', userId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Takes away all notes of somebody. */
export async function deleteAllNotes(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('lesson_notes').where('user_id', '=', userId).execute();
}
