import type { Db } from '#server/db/open.ts';
import type { FileOwner } from '#server/files.ts';
import { findSource, readMediaFiles } from './store.ts';

/**
 * The files of videos. Teachers may fetch a source as it came; everything else of a video is played with a grant
 * (`routes.ts`), and under its own name it is nobody's.
 */
export function mediaFiles({ query }: Db): FileOwner {
  return {
    belongsTo: 'media',
    sightOf: async (name, person) => {
      const source = person?.role === 'teacher' ? await findSource(query, name) : null;
      return source && { forEverybody: false, title: source.title };
    },
    owned: (names) => readMediaFiles(query, names),
  };
}
