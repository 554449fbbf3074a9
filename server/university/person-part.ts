import type { Db } from '#server/db/open.ts';
import { allOf, type PersonPart } from '#server/person-part.ts';
import { deleteGoal, findGoal } from './goal-store.ts';

/** Of a person: the university they aim at, and those they compare. */
export function universityPart({ query }: Db): PersonPart {
  return {
    name: '目标院校',
    rows: (userId) => allOf(async () => [await findGoal(query, userId)]),
    forget: deleteGoal,
  };
}
