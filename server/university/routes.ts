import {
  CompareUniversities,
  GetUniversityGoal,
  ListProvinces,
  ListUniversities,
  SetUniversityGoal,
  SuggestUniversities,
  UniversityDetails,
} from '#contract/university.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import type { AllUniversities } from './all-universities.ts';
import { compareUniversities } from './compare.ts';
import { readGoal, setTarget } from './goal.ts';
import { listUniversities } from './list.ts';
import { listProvinces } from './province-list.ts';
import { findUniversity } from './store.ts';
import { suggestUniversities } from './suggest.ts';

/** Key universities: search for everybody, a goal for students (decisions §9). */
export function universityRoutes(
  serve: Serve,
  { db }: Pick<Parts, 'db'>,
  universities: () => Promise<AllUniversities>,
): void {
  serve(ListProvinces, async () => listProvinces(await universities()));

  serve(ListUniversities, async ({ input }) => listUniversities(await universities(), input));

  serve(SuggestUniversities, async ({ input }) => suggestUniversities(await universities(), input.name));

  serve(UniversityDetails, async ({ input }) => (await findUniversity(db.query, input.id)) ?? refuse('notFound'));

  serve(GetUniversityGoal, async ({ user: { userId } }) => readGoal(db.query, await universities(), userId));

  serve(SetUniversityGoal, async ({ input: { universityId }, user: { userId }, arrivedAt }) => {
    const set = await setTarget(db.query, await universities(), { userId, universityId, now: arrivedAt });
    return set.ok ? readGoal(db.query, await universities(), userId) : refuse(set.why);
  });

  serve(CompareUniversities, async ({ input: { universityIds }, user: { userId }, arrivedAt }) => {
    const asked = { userId, universityIds, now: arrivedAt };
    const set = await compareUniversities(db.query, await universities(), asked);
    return set.ok ? readGoal(db.query, await universities(), userId) : refuse(set.why, 'universityIds');
  });
}
