import { extname } from 'node:path';
import type { Db } from '#server/db/open.ts';
import type { FileOwner } from '#server/files.ts';
import { readPromotedFiles } from './promotion-store.ts';

/** The pictures of what the school promotes: everybody sees them. */
export function promotionFiles({ query }: Db): FileOwner {
  return {
    belongsTo: 'promotion',
    sightOf: async (name) => {
      const title = (await readPromotedFiles(query, [name])).get(name);
      return title === undefined ? null : { forEverybody: true, title: `${title}${extname(name)}` };
    },
    owned: async (names) => (await readPromotedFiles(query, names)).keys(),
  };
}
