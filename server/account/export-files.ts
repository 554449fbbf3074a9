import type { Db } from '#server/db/open.ts';
import type { FileOwner } from '#server/files.ts';
import { exportFilesAmong, findExportFile } from './export-store.ts';
import { type HiddenFrom, isWithheld } from './export-withheld.ts';

/** Copies of people's data: each for its person alone, until it expires, and not while it tells what is withheld from them. */
export function exportFiles({ query }: Db, clock: () => number, hiddenFrom: HiddenFrom): FileOwner {
  return {
    belongsTo: 'account',
    sightOf: async (name, person) => {
      if (person === null) return null;
      const found = await findExportFile(query, name, person.userId, clock());
      if (!found || isWithheld(found, await hiddenFrom(person.userId))) return null;
      return { forEverybody: false, title: '我的数据.zip' };
    },
    owned: (names) => exportFilesAmong(query, names),
  };
}
