import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_NAME } from '#rules/rich-text/file-address.ts';

/** The SHA-256 that a stored file's name promises; null: no name of a stored file. */
export function hashInName(name: string): string | null {
  if (!FILE_NAME.test(name)) return null;
  const hash = name.slice(3, 67);
  return name.startsWith(hash.slice(0, 2)) ? hash : null;
}

/** The stored files of a folder, sorted. What is being written at this moment has another name and is left out. */
export async function storedFiles(folder: string): Promise<{ name: string; size: number }[]> {
  const found: { name: string; size: number }[] = [];
  for (const shelf of (await readdirOrNone(folder)).sort()) {
    if (!/^[0-9a-f]{2}$/.test(shelf)) continue;
    for (const file of (await readdirOrNone(join(folder, shelf))).sort()) {
      const name = `${shelf}/${file}`;
      if (hashInName(name) !== null) found.push({ name, size: (await stat(join(folder, name))).size });
    }
  }
  return found;
}

async function readdirOrNone(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  });
}

/** The bytes of a file, which is opened when the first of them is asked for. */
export async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  for await (const piece of createReadStream(path)) yield piece as Uint8Array;
}

/** Passes bytes on and knows their SHA-256 when they have passed. */
export function hashing(body: AsyncIterable<Uint8Array>): { body: AsyncIterable<Uint8Array>; hash(): string } {
  const hash = createHash('sha256');
  async function* passed() {
    for await (const piece of body) {
      hash.update(piece);
      yield piece;
    }
  }
  return { body: passed(), hash: () => hash.digest('hex') };
}

/** The SHA-256 of a file, in hex. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of bytesOf(path)) hash.update(piece);
  return hash.digest('hex');
}
