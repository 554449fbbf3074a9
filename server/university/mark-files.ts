import { extname } from 'node:path';
import { fileAddress } from '#rules/rich-text/file-address.ts';
import type { FileOwner } from '#server/files.ts';
import type { AllUniversities } from './all-universities.ts';

/** The marks of universities: everybody sees the list that they stand in. */
export function markFiles(universities: () => Promise<AllUniversities>): FileOwner {
  return {
    belongsTo: 'university',
    sightOf: async (name) => {
      const university = (await universities()).marks.get(fileAddress(name));
      return university === undefined ? null : { forEverybody: true, title: `${university}${extname(name)}` };
    },
    owned: async (names) => {
      const { marks } = await universities();
      return names.filter((name) => marks.has(fileAddress(name)));
    },
  };
}
