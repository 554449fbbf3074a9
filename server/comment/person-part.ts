import type { Db } from '#server/db/open.ts';
import { inSteps, type PersonPart } from '#server/person-part.ts';
import { readCommentsOf } from './store.ts';

/** Of a person: their comments. They stay when the account is closed, as of 已注销用户. */
export function commentPart({ query }: Db): PersonPart {
  return { name: '课程评论', rows: (userId) => inSteps((step) => readCommentsOf(query, userId, step)) };
}
