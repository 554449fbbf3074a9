import type { Db } from '#server/db/open.ts';
import { allOf, type PersonPart } from '#server/person-part.ts';
import { readJoined } from './enrolment-store.ts';

/** Of a person: the packs they have joined. */
export function coursePart({ query }: Db): PersonPart {
  return { name: '我的课程', rows: (userId) => allOf(() => readJoined(query, userId)) };
}
