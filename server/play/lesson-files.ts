import type { Db } from '#server/db/open.ts';
import type { FileOwner } from '#server/files.ts';
import { readTrackFiles } from './lesson-media-store.ts';

/** The subtitles of lessons: read with the grant of what they belong to (server/media/routes.ts), and under their own names by nobody. */
export function lessonFiles({ query }: Db): FileOwner {
  return {
    belongsTo: 'lesson',
    sightOf: async () => null,
    owned: (names) => readTrackFiles(query, names),
  };
}
