import type { Db } from '#server/db/open.ts';
import { inSteps, type PersonPart } from '#server/person-part.ts';
import { readCommentsOf, readPraisesOf } from './store.ts';

/** Of a person: their comments, and by their ids those they like. They stay when the account is closed, as of 已注销用户. */
export function commentPart({ query }: Db): PersonPart {
  return {
    name: '课程评论',
    rows: async function* (userId) {
      yield* inSteps((step) => readCommentsOf(query, userId, step));
      yield* inSteps((step) => readPraisesOf(query, userId, step));
    },
  };
}
