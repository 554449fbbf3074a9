import type { Db } from '#server/db/open.ts';
import type { FileOwner } from '#server/files.ts';
import { isUntakenOf, untakenFiles } from './store.ts';

/** Pictures that nothing has taken yet: their uploader alone sees them. */
export function uploadedFiles({ query }: Db): FileOwner {
  return {
    belongsTo: 'upload',
    sightOf: async (name, person) =>
      person !== null && (await isUntakenOf(query, person.userId, name)) ? { forEverybody: false, title: '' } : null,
    owned: (names) => untakenFiles(query, names),
  };
}
