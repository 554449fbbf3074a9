import { whoSeesFile } from '#rules/course/access.ts';
import type { Db } from '#server/db/open.ts';
import type { FileOwner } from '#server/files.ts';
import type { HasRecord } from './exam-counts.ts';
import { readPackFiles, readPacksOfFile } from './files-store.ts';

/** The pictures of packs: who may see them follows from who may see what they stand in. */
export function packFiles({ query }: Db, hasRecord: HasRecord): FileOwner {
  return {
    belongsTo: 'pack',
    sightOf: async (name, person) => {
      const packs = await readPacksOfFile(query, person?.userId ?? null, name);
      if (packs.length === 0) return null;
      const facts = { role: person?.role ?? null, packs };
      let seenBy = whoSeesFile({ ...facts, hasRecord: false });
      // Records are looked for only where nothing else opens the file: most who ask are enrolled.
      if (seenBy === 'nobody' && person) {
        const packIds = packs.map(({ packId }) => packId);
        seenBy = whoSeesFile({ ...facts, hasRecord: await hasRecord(person.userId, packIds) });
      }
      if (seenBy === 'nobody') return null;
      return { forEverybody: seenBy === 'everybody', title: packs.find(({ title }) => title)?.title ?? '' };
    },
    owned: (names) => readPackFiles(query, names),
  };
}
