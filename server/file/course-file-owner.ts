import type { Db } from '#server/db/open.ts';
import type { FileOwner } from '#server/files.ts';
import { readCourseFileNames } from './file-store.ts';

/**
 * The files that packs bring. They are kept, and seen below their own address alone (`routes.ts`): there the pack is asked for
 * again each time, and each file has its name; under the name of their bytes they are nobody's.
 */
export function courseFileOwner({ query }: Db): FileOwner {
  return {
    belongsTo: 'course file',
    sightOf: async () => null,
    owned: (names) => readCourseFileNames(query, names),
  };
}
