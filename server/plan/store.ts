import type { DataOf } from '#contract/call.ts';
import type { PlanToday } from '#contract/plan.ts';
import { type LeftOutKind, PLAN_MINUTES } from '#contract/values/plan.ts';
import type { PlanTask } from '#rules/plan/work.ts';
import type { Query, Trx } from '#server/db/open.ts';

type Today = DataOf<typeof PlanToday>;

/** A task of today, with what tells that it is done. */
export interface StoredTask extends PlanTask {
  name: string;
  /** Seconds of the lesson that are seen then, or questions of the pack that are reviewed today. */
  goal: number;
  /** When it was laid out, epoch milliseconds: what was answered or taken before does not count. */
  since: number;
}

/** What was laid out for one day, with what it was found of the days to come. */
export interface StoredPlan {
  tasks: StoredTask[];
  moved: number;
  week: { day: number; seconds: number; tasks: (PlanTask & { name: string })[] }[];
  packs: { packId: number; secondsLeft: number; finish: number | null; lacking: number }[];
  lacking:
    | (Omit<NonNullable<Today['lacking']>, 'leave'> & {
        leave: { packId: number; kind: 'chapter' | 'paper'; id: number; name: string; minutes: number }[];
      })
    | null;
}

/** Something that a student leaves out of the plan. */
export interface LeftOut {
  packId: number;
  kind: LeftOutKind;
  /** Of the pack, the chapter or the exam. */
  id: number;
}

/** When a student studies, Monday to Sunday; `chosen`: they said so themselves. */
export async function readMinutes(query: Query, userId: number): Promise<{ minutes: number[]; chosen: boolean }> {
  const row = await query
    .selectFrom('plan_settings')
    .select('minutes')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (!row) return { minutes: Array.from({ length: 7 }, () => PLAN_MINUTES), chosen: false };
  return { minutes: JSON.parse(row.minutes) as number[], chosen: true };
}

/** Sets when a student studies. */
export async function saveMinutes(query: Query, userId: number, minutes: readonly number[]): Promise<void> {
  const text = JSON.stringify(minutes);
  await query
    .insertInto('plan_settings')
    .values({ user_id: userId, minutes: text })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ minutes: text }))
    .execute();
}

/** What a student leaves out of the plan, in a settled order. */
export async function readLeftOut(query: Query, userId: number): Promise<LeftOut[]> {
  const rows = await query
    .selectFrom('plan_left_out')
    .select(['pack_id as packId', 'kind', 'ref_id as id'])
    .where('user_id', '=', userId)
    .orderBy('pack_id')
    .orderBy('kind')
    .orderBy('ref_id')
    .execute();
  return rows;
}

/** Leaves things out; what is left out already stays so. */
export async function addLeftOut(query: Query, userId: number, list: readonly LeftOut[]): Promise<void> {
  await query
    .insertInto('plan_left_out')
    .values(list.map(({ packId, kind, id }) => ({ user_id: userId, pack_id: packId, kind, ref_id: id })))
    .onConflict((conflict) => conflict.columns(['user_id', 'pack_id', 'kind', 'ref_id']).doNothing())
    .execute();
}

/** Takes things in again. */
export async function removeLeftOut(query: Query, userId: number, list: readonly LeftOut[]): Promise<void> {
  await query
    .deleteFrom('plan_left_out')
    .where('user_id', '=', userId)
    .where(({ or, and, eb }) =>
      or(
        list.map(({ packId, kind, id }) =>
          and([eb('pack_id', '=', packId), eb('kind', '=', kind), eb('ref_id', '=', id)]),
        ),
      ),
    )
    .execute();
}

/** What was laid out for the newest day on which a student looked. */
export interface LaidOut {
  /** China's day, counted from 1970-01-01. */
  day: number;
  basis: string;
  plan: StoredPlan;
}

/** A plan that was laid out while a scored exam was sat, and the questions that it knows nothing of. */
interface LaidOutSitting extends LaidOut {
  sat: readonly number[];
}

/** What was laid out while a student sat nothing; null: they never looked then. */
export async function findPlan(query: Query, userId: number): Promise<LaidOut | null> {
  const row = await query.selectFrom('plan_days').selectAll().where('user_id', '=', userId).executeTakeFirst();
  return row ? { day: row.day, basis: row.basis, plan: JSON.parse(row.plan) as StoredPlan } : null;
}

/** What was laid out while a student sat a scored exam; null: they never looked then. */
export async function findSittingPlan(query: Query, userId: number): Promise<LaidOutSitting | null> {
  const row = await query.selectFrom('sitting_plans').selectAll().where('user_id', '=', userId).executeTakeFirst();
  if (!row) return null;
  const { day, basis } = row;
  return { day, basis, plan: JSON.parse(row.plan) as StoredPlan, sat: JSON.parse(row.sat) as number[] };
}

/** Keeps what is laid out for a day, in the place of an earlier one. */
export async function savePlan(query: Query, userId: number, { day, basis, plan }: LaidOut): Promise<void> {
  const set = { day, basis, plan: JSON.stringify(plan) };
  await query
    .insertInto('plan_days')
    .values({ user_id: userId, ...set })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(set))
    .execute();
}

/** Keeps what is laid out while a scored exam is sat, beside what was laid out before it began. */
export async function saveSittingPlan(
  query: Query,
  userId: number,
  { day, basis, plan, sat }: LaidOutSitting,
): Promise<void> {
  const set = { day, basis, plan: JSON.stringify(plan), sat: JSON.stringify(sat) };
  await query
    .insertInto('sitting_plans')
    .values({ user_id: userId, ...set })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(set))
    .execute();
}

/** Forgets somebody's plan, with what they set for it. */
export async function deletePlanOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('plan_settings').where('user_id', '=', userId).execute();
  await trx.deleteFrom('plan_left_out').where('user_id', '=', userId).execute();
  await trx.deleteFrom('plan_days').where('user_id', '=', userId).execute();
  await trx.deleteFrom('sitting_plans').where('user_id', '=', userId).execute();
}
