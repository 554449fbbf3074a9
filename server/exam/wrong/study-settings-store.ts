import { LEAVE_AFTER, type LeaveAfter } from '#contract/values/exam.ts';
import type { Query } from '#server/db/open.ts';

/** When a question leaves a student's wrong-question list of a pack. */
export async function readLeaveAfter(query: Query, userId: number, packId: number): Promise<LeaveAfter> {
  const row = await query
    .selectFrom('study_settings')
    .select('leave_after')
    .where('user_id', '=', userId)
    .where('pack_id', '=', packId)
    .executeTakeFirst();
  return (row?.leave_after ?? LEAVE_AFTER) as LeaveAfter;
}

/** Sets it. */
export async function saveLeaveAfter(
  query: Query,
  userId: number,
  packId: number,
  leaveAfter: LeaveAfter,
): Promise<void> {
  await query
    .insertInto('study_settings')
    .values({ user_id: userId, pack_id: packId, leave_after: leaveAfter })
    .onConflict((conflict) => conflict.columns(['user_id', 'pack_id']).doUpdateSet({ leave_after: leaveAfter }))
    .execute();
}
