import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Role } from '#contract/values/user.ts';
import { FILE_NAME } from '#rules/rich-text/file-address.ts';

/** Where files live: named by the hash of their bytes, so that the same file is stored once and never changes. */
export interface Files {
  /** Stores bytes; @returns the name, e.g. `3f/3fa9….png` */
  put(bytes: Uint8Array, extension: string): Promise<string>;
  /** Finds a whole stored file; null when there is none of that name. */
  find(name: string): Promise<StoredFile | null>;
}

/**
 * Where the bytes of a stored file are. The store says the place and does not hand out a stream, because whoever sends a
 * part of a file (HTTP Range, conditions) does it best at the source: the web framework's own sending for a path, and for
 * a store such as S3, which will give an `address` instead of the path, that store's own Range.
 */
interface StoredFile {
  /** A file on a disk of this machine. */
  path: string;
  /** In bytes. */
  size: number;
}

/**
 * Who may see the stored files of one kind of thing (the pictures of packs, the marks of universities). The feature that
 * stores files makes one, `app.ts` gives all of them to the web server. A file that none of them shows is nobody's: it is
 * answered like one that does not exist, so a feature that forgets its owner shows too little, never too much.
 */
export interface FileOwner {
  /** What its files belong to, in a word. */
  belongsTo: string;
  /**
   * How a person may see a file; null: it is none of this owner's files, or not for this person.
   * @param person null: a visitor
   */
  sightOf(name: string, person: { userId: number; role: Role } | null): Promise<FileSight | null>;
}

/** How a person may see a stored file. */
export interface FileSight {
  /** Visitors may see it too, so caches that many share may keep it. */
  forEverybody: boolean;
  /** The name under which it is saved, with its extension; '' when it has none. */
  title: string;
}

/** The name under which these bytes are stored, whether they are there or not. */
export function fileNameOf(bytes: Uint8Array, extension: string): string {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const name = `${hash.slice(0, 2)}/${hash}.${extension.toLowerCase()}`;
  if (!FILE_NAME.test(name)) throw new Error(`not a file extension: ${extension}`);
  return name;
}

/** Files in a folder of this machine. */
export function localFiles(folder: string): Files {
  return {
    async put(bytes, extension) {
      const name = fileNameOf(bytes, extension);
      const path = join(folder, name);
      const known = await stat(path).catch(() => null);
      if (known?.size === bytes.byteLength) return name;
      const made = await mkdir(dirname(path), { recursive: true });
      // Written aside and renamed, so that a reader never sees half a file.
      const aside = `${path}.${randomUUID()}`;
      await writeFile(aside, bytes, { flush: true });
      await rename(aside, path);
      await flushFolder(dirname(path));
      if (made !== undefined) for (const parent of new Set([folder, dirname(made)])) await flushFolder(parent);
      return name;
    },
    async find(name) {
      if (!FILE_NAME.test(name)) return null;
      const path = join(folder, name);
      const found = await stat(path).catch(() => null);
      return found?.isFile() ? { path, size: found.size } : null;
    },
  };
}

/** Brings the entries of a folder to the disk: without that, a power cut may take back a name that was given in it. */
export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } catch (error) {
    // Some file systems over a network have nothing to flush there.
    if (!(error instanceof Error && 'code' in error && error.code === 'EINVAL')) throw error;
  } finally {
    await folder.close();
  }
}

/** The stored files that a text shows, each once. */
export function fileNamesIn(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/\/files\/([0-9a-f]{2}\/[0-9a-f]{64}\.[a-z0-9]{1,5})/g)].map(([, name = '']) => name),
  );
}
