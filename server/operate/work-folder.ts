import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { serveAlone } from '#server/db/alone.ts';

/** A folder for what is not whole yet. */
interface WorkFolder {
  path: string;
  /** Takes it away with all that is still in it. */
  remove(): Promise<void>;
}

/** How the name of a work folder begins and ends; between them stand a name and eight letters of its own. */
interface Kind {
  prefix: string;
  suffix: string;
}

/** Makes a folder for what is not whole yet, held by a lock that ends with this process, however that ends. @throws as `mkdir` does */
export async function makeWorkFolder(at: string, kind: Kind): Promise<WorkFolder> {
  const letters = randomBytes(4).toString('hex');
  const path = join(dirname(at), `${kind.prefix}${basename(at)}.${letters}${kind.suffix}`);
  await mkdir(path, { mode: 0o700 });
  const release = await serveAlone(path);
  if (release === null) throw new Error(`${path} is held by another process`);
  return {
    path,
    remove: async () => {
      release();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Takes away the work folders in a folder whose processes were killed; one whose process lives is left alone. */
export async function sweepWorkFolders(folder: string, { prefix, suffix }: Kind): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(prefix) || !name.endsWith(suffix)) continue;
    if (!/\.[0-9a-f]{8}$/.test(name.slice(0, name.length - suffix.length))) continue;
    const path = join(folder, name);
    // What cannot be taken away (of another account, say) stays: it is in nobody's way.
    const release = await serveAlone(path, 0).catch(() => null);
    if (release === null) continue;
    release();
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
