import type { Selectable } from 'kysely';
import type { RetakeRule } from '#rules/exam/retake.ts';
import type { Query } from '#server/db/open.ts';
import type { Exams } from '#server/db/schema.ts';

/** The columns of an exam that hold its rule of retakes. */
const RETAKE_COLUMNS = ['most_attempts', 'retake_after', 'counted_record'] as const;

/** The rule of retakes as a row of an exam holds it. */
export function retakeRuleOf(row: Pick<Selectable<Exams>, (typeof RETAKE_COLUMNS)[number]>): RetakeRule {
  return { most: row.most_attempts, after: row.retake_after, counts: row.counted_record };
}

/** The rule of retakes of an exam as it is now: it goes with the paper on offer, not with the version of a record. */
export async function readRetakeRule(query: Query, examId: number): Promise<RetakeRule> {
  const row = await query
    .selectFrom('exams')
    .select([...RETAKE_COLUMNS])
    .where('id', '=', examId)
    .executeTakeFirstOrThrow();
  return retakeRuleOf(row);
}

/** The points from which an exam is a pass as its school set it; null: it set none. Goes with the paper on offer, too. */
export async function readPassScore(query: Query, examId: number): Promise<number | null> {
  const row = await query.selectFrom('exams').select('pass_score').where('id', '=', examId).executeTakeFirstOrThrow();
  return row.pass_score;
}
