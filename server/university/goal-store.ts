import type { Query } from '#server/db/open.ts';

/** What a student aims at, as ids. */
interface GoalIds {
  targetId: number | null;
  compareIds: number[];
}

/** A student's goal; an empty one when none was set. */
export async function findGoal(query: Query, userId: number): Promise<GoalIds> {
  const row = await query
    .selectFrom('university_goals')
    .select(['target_id', 'compare_ids'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return { targetId: row?.target_id ?? null, compareIds: row ? (JSON.parse(row.compare_ids) as number[]) : [] };
}

/** Writes the target of a student and leaves the comparison alone; null takes the target away. */
export async function saveTarget(query: Query, userId: number, targetId: number | null, now: number): Promise<void> {
  await query
    .insertInto('university_goals')
    .values({ user_id: userId, target_id: targetId, compare_ids: '[]', updated_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ target_id: targetId, updated_at: now }))
    .execute();
}

/** Writes the comparison of a student and leaves the target alone. */
export async function saveCompared(query: Query, userId: number, ids: readonly number[], now: number): Promise<void> {
  const compare_ids = JSON.stringify(ids);
  await query
    .insertInto('university_goals')
    .values({ user_id: userId, target_id: null, compare_ids, updated_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ compare_ids, updated_at: now }))
    .execute();
}

/** Forgets what somebody aims at. */
export async function deleteGoal(query: Query, userId: number): Promise<void> {
  await query.deleteFrom('university_goals').where('user_id', '=', userId).execute();
}
