import { extname } from 'node:path';
import { type FileOwner, fileAddress } from '#server/files.ts';
import type { AllUniversities } from './all-universities.ts';

/** The marks of universities: everybody sees the list that they stand in. */
export function markFiles(universities: () => Promise<AllUniversities>): FileOwner {
  return {
    belongsTo: 'university',
    sightOf: async (name) => {
      const university = (await universities()).marks.get(fileAddress(name));
      return university === undefined ? null : { forEverybody: true, title: `${university}${extname(name)}` };
    },
  };
}
