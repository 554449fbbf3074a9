import { DAILY_SIZE, LEAVE_AFTER, type LeaveAfter } from '#contract/values/exam.ts';
import type { Query } from '#server/db/open.ts';

/** How a student studies a pack. */
export interface StudySettings {
  /** When a question leaves the wrong-question list. */
  leaveAfter: LeaveAfter;
  /** The student's own date of the exam (YYYY-MM-DD); null: that of the pack. */
  examDate: string | null;
  /** Questions to review a day. */
  dailySize: number;
}

/** The settings of a student for packs, by pack; packs they chose nothing for are left out (`usualSettings`). */
export async function readAllSettings(query: Query, userId: number): Promise<Map<number, StudySettings>> {
  const rows = await query.selectFrom('study_settings').selectAll().where('user_id', '=', userId).execute();
  return new Map(
    rows.map((row) => [
      row.pack_id,
      {
        leaveAfter: (row.leave_after ?? LEAVE_AFTER) as LeaveAfter,
        examDate: row.exam_date,
        dailySize: row.daily_size ?? DAILY_SIZE,
      },
    ]),
  );
}

/** What holds until a student chooses. */
export const usualSettings: StudySettings = { leaveAfter: LEAVE_AFTER, examDate: null, dailySize: DAILY_SIZE };

/** The settings of a student for one pack. */
export async function readSettings(query: Query, userId: number, packId: number): Promise<StudySettings> {
  return (await readAllSettings(query, userId)).get(packId) ?? usualSettings;
}

/** Sets what is given; the rest stays as it is. */
export async function saveSettings(
  query: Query,
  userId: number,
  packId: number,
  { leaveAfter, examDate, dailySize }: { [F in keyof StudySettings]?: StudySettings[F] | undefined },
): Promise<void> {
  const set = {
    ...(leaveAfter === undefined ? {} : { leave_after: leaveAfter }),
    ...(examDate === undefined ? {} : { exam_date: examDate }),
    ...(dailySize === undefined ? {} : { daily_size: dailySize }),
  };
  await query
    .insertInto('study_settings')
    .values({ user_id: userId, pack_id: packId, leave_after: null, exam_date: null, daily_size: null, ...set })
    .onConflict((conflict) => conflict.columns(['user_id', 'pack_id']).doUpdateSet({ pack_id: packId, ...set }))
    .execute();
}
