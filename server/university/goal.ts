import type { DataOf } from '#contract/call.ts';
import type { GetUniversityGoal } from '#contract/university.ts';
import type { Query } from '#server/db/open.ts';
import type { AllUniversities } from './all-universities.ts';
import { findGoal, saveTarget } from './goal-store.ts';

type Goal = DataOf<typeof GetUniversityGoal>;

/** A student's target and comparison; what is no longer in the list is left out. */
export async function readGoal(query: Query, { byId }: AllUniversities, userId: number): Promise<Goal> {
  const { targetId, compareIds } = await findGoal(query, userId);
  return {
    target: (targetId === null ? undefined : byId.get(targetId)?.brief) ?? null,
    compare: compareIds.flatMap((id) => byId.get(id)?.brief ?? []),
  };
}

/** Sets the target; null takes it away. */
export async function setTarget(
  query: Query,
  { byId }: AllUniversities,
  asked: { userId: number; universityId: number | null; now: number },
): Promise<{ ok: true } | { ok: false; why: 'notFound' }> {
  const { userId, universityId, now } = asked;
  if (universityId !== null && !byId.has(universityId)) return { ok: false, why: 'notFound' };
  await saveTarget(query, userId, universityId, now);
  return { ok: true };
}
