import type { Db } from '#server/db/open.ts';
import { inSteps, type PersonPart } from '#server/person-part.ts';
import { deletePicturesOf, readEntriesOf, readImagesOf } from './person-store.ts';

/** Of a person: what they asked and wrote in Q&A. The words stay when the account is closed, as of 已注销用户. */
export function qaPart({ query }: Db): PersonPart {
  return {
    name: '答疑',
    rows: (userId) => inSteps((step) => readEntriesOf(query, userId, step)),
    files: async (userId) =>
      (await readImagesOf(query, userId)).map(({ file, entryId }) => ({ stored: file, title: `${entryId}` })),
    forget: deletePicturesOf,
  };
}
