import { readdir, rm, stat } from 'node:fs/promises';
import type { Chore } from '#server/chores.ts';
import type { Parts } from '#server/parts.ts';
import { uploadFolder, uploadPath } from './keeper.ts';
import { deleteExpired, readNeeded } from './store.ts';

const MINUTE = 60_000;
/** A file stands there a moment before its row does. */
const YOUNG = 10 * MINUTE;

/** What time does to uploads: those of which nothing more comes are given up, and bytes that nobody needs are deleted. */
export function uploadChores(parts: Pick<Parts, 'db' | 'workFolder'>): readonly Chore[] {
  return [
    {
      name: 'uploads: give up what was left',
      every: 5 * MINUTE,
      run: async (now) => {
        await deleteExpired(parts.db.query, now);
        const all = await readdir(uploadFolder(parts)).catch(() => []);
        const needed = await readNeeded(parts.db.query, all);
        for (const address of all) {
          if (needed.has(address)) continue;
          const path = uploadPath(parts, address);
          const found = await stat(path).catch(() => null);
          // By the clock of the disk alone, which gave the file its time.
          if (found && Date.now() - found.mtimeMs > YOUNG) await rm(path, { force: true });
        }
      },
    },
  ];
}
