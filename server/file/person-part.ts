import { readJoined } from '#server/course/enrolment-store.ts';
import type { Db } from '#server/db/open.ts';
import { allOf, type PersonPart } from '#server/person-part.ts';
import { deleteDownloadsOf, readDownloads } from './file-store.ts';

/** Of a person: which course files they downloaded. */
export function filePart({ query }: Db): PersonPart {
  return {
    name: '下载过的资料',
    rows: (userId) =>
      allOf(async () => {
        const packIds = (await readJoined(query, userId)).map(({ packId }) => packId);
        return readDownloads(query, userId, packIds);
      }),
    forget: deleteDownloadsOf,
  };
}
