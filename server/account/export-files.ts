import type { Db } from '#server/db/open.ts';
import type { FileOwner } from '#server/files.ts';
import { exportFilesAmong, isExportOf } from './export-store.ts';

/** Copies of people's data: each for its person alone, and until it expires. */
export function exportFiles({ query }: Db, clock: () => number): FileOwner {
  return {
    belongsTo: 'account',
    sightOf: async (name, person) =>
      person !== null && (await isExportOf(query, name, person.userId, clock()))
        ? { forEverybody: false, title: '我的数据.zip' }
        : null,
    owned: (names) => exportFilesAmong(query, names),
  };
}
