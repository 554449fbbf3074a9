import type { Db } from '#server/db/open.ts';
import type { PersonPart } from '#server/person-part.ts';
import { deletePlanOf, readLeftOut, readMinutes } from './store.ts';

/** Of a person: when they study, and what they leave out of their plan. The plan itself is made of what stands elsewhere. */
export function planPart({ query }: Db): PersonPart {
  return {
    name: '学习计划',
    async *rows(userId) {
      const { minutes, chosen } = await readMinutes(query, userId);
      if (chosen) yield { weekMinutes: minutes };
      yield* await readLeftOut(query, userId);
    },
    forget: deletePlanOf,
  };
}
