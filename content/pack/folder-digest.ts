import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A digest of every file of a folder with its name: another one as soon as anything in it differs. */
export async function digestOfFolder(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.sort()) {
    const bytes = await readFile(path);
    hash.update(`${path.slice(folder.length)}\0${bytes.byteLength}\0`).update(bytes);
  }
  return hash.digest('hex');
}
