import { chooseCompared } from '#rules/university/goal.ts';
import type { Query } from '#server/db/open.ts';
import type { AllUniversities } from './all-universities.ts';
import { saveCompared } from './goal-store.ts';

/** Replaces what a student compares. */
export async function compareUniversities(
  query: Query,
  { byId }: AllUniversities,
  asked: { userId: number; universityIds: readonly number[]; now: number },
): Promise<{ ok: true } | { ok: false; why: 'notFound' | 'compareFull' }> {
  const chosen = chooseCompared(asked.universityIds);
  if (!chosen.ok) return chosen;
  if (!chosen.ids.every((id) => byId.has(id))) return { ok: false, why: 'notFound' };
  await saveCompared(query, asked.userId, chosen.ids, asked.now);
  return { ok: true };
}
