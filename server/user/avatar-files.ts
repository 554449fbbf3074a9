import { fileAddress } from '#rules/rich-text/file-address.ts';
import type { Db } from '#server/db/open.ts';
import type { FileOwner } from '#server/files.ts';
import { readAvatarUrls } from './store.ts';

/** Avatars: whoever is signed in sees them, since nicknames stand beside them wherever they write. */
export function avatarFiles({ query }: Db): FileOwner {
  const owned = async (names: readonly string[]) => {
    const urls = await readAvatarUrls(query, names.map(fileAddress));
    return names.filter((name) => urls.has(fileAddress(name)));
  };
  return {
    belongsTo: 'user',
    sightOf: async (name, person) =>
      person !== null && (await owned([name])).length > 0 ? { forEverybody: false, title: '' } : null,
    owned,
  };
}
