import type { Db } from '#server/db/open.ts';
import { inSteps, type PersonPart } from '#server/person-part.ts';
import { forgetQaOf, readEntriesOf, readFlagsOf, readImagesOf, readUsefulOf } from './person-store.ts';

/** Of a person: what they asked and wrote in Q&A, what they ask too, and what they found useful. The words stay when the account is closed, as of 已注销用户. */
export function qaPart({ query }: Db): PersonPart {
  return {
    name: '答疑',
    rows: async function* (userId) {
      yield* inSteps((step) => readEntriesOf(query, userId, step));
      yield* inSteps((step) => readFlagsOf(query, userId, step));
      yield* inSteps((step) => readUsefulOf(query, userId, step));
    },
    files: async (userId) =>
      (await readImagesOf(query, userId)).map(({ file, entryId }) => ({ stored: file, title: `${entryId}` })),
    forget: forgetQaOf,
  };
}
