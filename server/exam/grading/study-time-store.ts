import { inLists } from '#server/db/batches.ts';
import type { Query } from '#server/db/open.ts';
import { type Counted, countedFromJson } from './study.ts';

/** On which days a student answered something in a pack, from one day on (rules/exam/schedule.ts `dayOf`), in order. */
export async function readStudyDays(
  query: Query,
  { userId, packId, since }: { userId: number; packId: number; since: number },
): Promise<{ day: number; answered: number; seconds: number }[]> {
  return query
    .selectFrom('study_days')
    .select(['day', 'answered', 'seconds'])
    .where('user_id', '=', userId)
    .where('pack_id', '=', packId)
    .where('day', '>=', since)
    .where('answered', '>', 0)
    .orderBy('day')
    .execute();
}

/** With what the answers of closed records were counted, by record and question; a record that is not counted (yet) is left out. */
export async function readAllCounted(
  query: Query,
  recordIds: readonly number[],
): Promise<Map<number, Map<number, Counted>>> {
  const found = new Map<number, Map<number, Counted>>();
  for (const ids of inLists(recordIds)) {
    const rows = await query.selectFrom('exam_records').select(['id', 'counted']).where('id', 'in', ids).execute();
    for (const { id, counted } of rows) if (counted !== null) found.set(id, countedFromJson(counted));
  }
  return found;
}

/** With what the answers of a closed record were counted, by question; null: it is not counted (yet). */
export async function readCounted(query: Query, recordId: number): Promise<Map<number, Counted> | null> {
  return (await readAllCounted(query, [recordId])).get(recordId) ?? null;
}

/**
 * How long questions took all who answered them: counts by question and bucket (rules/exam/answer-time.ts `medianTime`).
 * @param ofSeveral without those that one person alone has answered, however often
 */
export async function readTimes(
  query: Query,
  questionIds: readonly number[],
  { ofSeveral = false } = {},
): Promise<Map<number, Map<number, number>>> {
  const times = new Map<number, Map<number, number>>();
  for (const ids of inLists(questionIds)) {
    const rows = await query.selectFrom('question_times').selectAll().where('question_id', 'in', ids).execute();
    // What was taken back is nobody's any more.
    const takers = Map.groupBy(
      rows.filter(({ taken }) => taken > 0),
      ({ question_id }) => question_id,
    );
    const isOfOne = (questionId: number) => {
      const [first, ...others] = takers.get(questionId) ?? [];
      return (
        first !== undefined && first.only_taker !== 0 && others.every((row) => row.only_taker === first.only_taker)
      );
    };
    for (const { question_id, bucket, taken } of rows) {
      if (ofSeveral && isOfOne(question_id)) continue;
      const known = times.get(question_id);
      if (known) known.set(bucket, taken);
      else times.set(question_id, new Map([[bucket, taken]]));
    }
  }
  return times;
}
