import type { Logger } from 'pino';
import type { Chore } from './chores.ts';
import { type FileOwner, type Files, FilesAway } from './files.ts';

const DAY = 24 * 60 * 60_000;
/**
 * How long a file may be nobody's: it is stored first and its owner's row is written afterwards, by an import that may
 * take hours.
 */
const NOBODYS_FOR = 7 * DAY;
/** How long what was begun may take to become a whole file. */
const UNFINISHED_FOR = DAY;
/** Files that their owners are asked about at once. */
const AT_ONCE = 500;

/**
 * Deletes stored files that belong to nothing any more. Owners are asked for each; one that cannot answer ends the whole
 * look, so that nothing is ever taken for nobody's because somebody was away.
 */
export function forgetFiles(files: Files, owners: readonly FileOwner[], log: Pick<Logger, 'info'>): Chore {
  async function forget(names: readonly string[], now: number): Promise<void> {
    const kept = new Set<string>();
    for (const owner of owners) for (const name of await owner.owned(names)) kept.add(name);
    for (const name of names) {
      if (kept.has(name)) continue;
      // It may have been stored again, by somebody whose row is not written yet, since the list was made.
      // One that cannot be read now is looked at tomorrow, and holds nothing up.
      const found = await files.find(name).catch((error: unknown) => {
        if (error instanceof FilesAway) return null;
        throw error;
      });
      if (!found || found.storedAt > now - NOBODYS_FOR) continue;
      await files.delete(name);
      log.info({ file: name }, 'a stored file that belongs to nothing was deleted');
    }
  }
  return {
    name: 'files: forget what is nobody’s',
    every: DAY,
    run: async (now) => {
      await files.forgetUnfinished(now - UNFINISHED_FOR);
      let names: string[] = [];
      for await (const { name, storedAt } of files.list()) {
        if (storedAt > now - NOBODYS_FOR) continue;
        names.push(name);
        if (names.length < AT_ONCE) continue;
        await forget(names, now);
        names = [];
      }
      await forget(names, now);
    },
  };
}
