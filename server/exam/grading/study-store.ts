import type { Query } from '#server/db/open.ts';
import { padded } from '#server/db/prepared.ts';
import type { StudyCount } from './study.ts';

/** A student's figures of a pack, without asking who may see them: `VisibleGrades.studyCounts` gives them out. */
export async function readStudyCounts(query: Query, userId: number, packId: number): Promise<StudyCount[]> {
  return query
    .selectFrom('study_counts')
    .select([
      'chapter_id as chapterId',
      'question_types_id as questionTypesId',
      'difficulty',
      'done',
      'right_count as right',
      'seconds',
      'points',
      'lost',
    ])
    .where('user_id', '=', userId)
    .where('pack_id', '=', packId)
    .where('done', '>', 0)
    .execute();
}

/** Notes with what the answers of closed records were counted. */
export async function writeCounted(query: Query, recordId: number, counted: string): Promise<void> {
  await query.updateTable('exam_records').set({ counted }).where('id', '=', recordId).execute();
}

/** Ids of closed records that are not counted, oldest first; of those given, where there are any. */
export async function findUncounted(query: Query, most: number, among: readonly number[] = []): Promise<number[]> {
  let rows = query
    .selectFrom('exam_records')
    .select('id')
    .where('submitted_at', 'is not', null)
    .where('counted', 'is', null);
  if (among.length > 0) rows = rows.where('id', 'in', padded(among));
  return (await rows.orderBy('id').limit(most).execute()).map(({ id }) => id);
}
