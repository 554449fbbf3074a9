import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Stream } from 'node:stream';
import type { Role } from '#contract/values/user.ts';
import { FILE_NAME } from '#rules/rich-text/file-address.ts';

/** Where files live: named by the hash of their bytes, so that the same file is stored once and never changes. */
export interface Files {
  /** Stores bytes; @returns the name, e.g. `3f/3fa9….png` */
  put(bytes: Uint8Array, extension: string): Promise<string>;
  /**
   * Stores what comes piece by piece, of any size, without holding it in memory. What breaks off, or is longer than `most`
   * bytes (`TooManyBytes`), is not stored. A stream that fails, however early, is a refused promise and nothing else.
   */
  putStream(
    source: AsyncIterable<Uint8Array>,
    extension: string,
    most?: number,
  ): Promise<{ name: string; size: number }>;
  /**
   * Stores a whole file of this machine, which stays where it is and is not changed any more: a folder on the same disk gets another name of
   * it, and no copy.
   */
  putFile(path: string, extension: string, signal?: AbortSignal): Promise<{ name: string; size: number }>;
  /** Finds a whole stored file; null when there is none of that name. */
  find(name: string): Promise<StoredFile | null>;
  /** Deletes a file; one that is not there is deleted already. */
  delete(name: string): Promise<void>;
  /** Every whole stored file with the time when it was stored, or stored again, last. */
  list(): AsyncIterable<{ name: string; storedAt: number }>;
  /** Takes away what was begun before this time and never became a whole file (a killed process, a line that broke). */
  forgetUnfinished(before: number): Promise<void>;
}

/** The bytes of a stored file. */
export interface StoredFile {
  /** On a disk of this machine; left out where the bytes are in a store elsewhere. */
  path?: string;
  /** In bytes. */
  size: number;
  /** When it was stored, or stored again, last. */
  storedAt: number;
  /** Its bytes, from the first to the last of `range`, which are counted from 0; without it all. */
  read(range?: { first: number; last: number }): Promise<Readable>;
}

/** The store of files is away, or does not do what it was asked; the message is for the log. */
export class FilesAway extends Error {}

/** What was to be stored is longer than it may be. */
export class TooManyBytes extends Error {}

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
  /** Which of these files are its own, whoever may see them: a file that is nobody's is deleted after a while. */
  owned(names: readonly string[]): Promise<Iterable<string>>;
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
  return nameOfHash(createHash('sha256').update(bytes).digest('hex'), extension);
}

/** The name under which bytes with this SHA-256 in hex are stored. */
export function nameOfHash(hash: string, extension: string): string {
  const name = `${hash.slice(0, 2)}/${hash}.${extension.toLowerCase()}`;
  if (!FILE_NAME.test(name)) throw new Error(`not a file extension: ${extension}`);
  return name;
}

/** Where files stand until they are whole and have their name. */
const INCOMING = 'incoming';

/**
 * Writes what comes into a file of its own in a folder, which is made where it is missing, brings it to the disk and finds its name.
 * It hears a stream from the first moment: one that cannot be opened says so before anybody reads it, and an error that nobody
 * hears ends the server.
 * @returns also where it stands
 */
export async function spool(
  source: AsyncIterable<Uint8Array>,
  extension: string,
  folder: string,
  most = Number.POSITIVE_INFINITY,
): Promise<{ name: string; size: number; aside: string }> {
  // Reading it throws the error too; this one only listens.
  if (source instanceof Stream) source.on('error', () => undefined);
  const hash = createHash('sha256');
  const aside = join(folder, randomUUID());
  let size = 0;
  let file: FileHandle;
  try {
    await mkdir(folder, { recursive: true });
    file = await open(aside, 'wx');
  } catch (error) {
    // Nobody will read it any more.
    if (source instanceof Readable) source.destroy();
    throw error;
  }
  try {
    for await (const piece of source) {
      size += piece.byteLength;
      if (size > most) throw new TooManyBytes(`more than ${most} bytes`);
      hash.update(piece);
      for (let at = 0; at < piece.byteLength; ) at += (await file.write(piece, at)).bytesWritten;
    }
    await file.sync();
    const name = nameOfHash(hash.digest('hex'), extension);
    await file.close();
    return { name, size, aside };
  } catch (error) {
    await file.close();
    await rm(aside, { force: true });
    throw error;
  }
}

/** Pieces of a file that is read through (bytes): small enough that nobody waits while one is hashed. */
const HASHED_AT_ONCE = 256 * 1024;

/** Finds the name of a file of this machine by reading it through. */
export async function nameOfFile(
  path: string,
  extension: string,
  signal?: AbortSignal,
): Promise<{ name: string; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of createReadStream(path, { highWaterMark: HASHED_AT_ONCE, ...(signal && { signal }) })) {
    hash.update(piece as Buffer);
    size += (piece as Buffer).byteLength;
  }
  return { name: nameOfHash(hash.digest('hex'), extension), size };
}

/** Files in a folder of this machine. */
export function localFiles(folder: string): Files {
  const incoming = join(folder, INCOMING);
  /** Whether it is there; it then counts as stored again, so that nobody takes it for forgotten. */
  const renewed = async (name: string, size: number) => {
    const path = join(folder, name);
    const known = await stat(path).catch(() => null);
    if (known?.size !== size) return false;
    const now = new Date();
    if (now.getTime() - known.mtimeMs < RENEW_AFTER) return true;
    // Deleted in this moment it is written anew.
    return utimes(path, now, now).then(
      () => true,
      () => false,
    );
  };
  /** Gives a whole file its name. Renamed, so that a reader never sees half a file. */
  const place = async (aside: string, name: string) => {
    const path = join(folder, name);
    const made = await mkdir(dirname(path), { recursive: true });
    await rename(aside, path);
    await flushFolder(dirname(path));
    if (made !== undefined) for (const parent of new Set([folder, dirname(made)])) await flushFolder(parent);
  };
  const putStream: Files['putStream'] = async (source, extension, most) => {
    const { name, size, aside } = await spool(source, extension, incoming, most);
    if (await renewed(name, size)) await rm(aside, { force: true });
    else await place(aside, name);
    return { name, size };
  };
  return {
    async put(bytes, extension) {
      const name = fileNameOf(bytes, extension);
      if (await renewed(name, bytes.byteLength)) return name;
      await putStream(Readable.from([bytes]), extension);
      return name;
    },
    putStream,
    async putFile(path, extension, signal) {
      const { name, size } = await nameOfFile(path, extension, signal);
      if (await renewed(name, size)) return { name, size };
      await mkdir(incoming, { recursive: true });
      const aside = join(incoming, randomUUID());
      try {
        await link(path, aside);
      } catch {
        // Another disk, or one that knows no second names.
        return putStream(
          createReadStream(path, { highWaterMark: HASHED_AT_ONCE, ...(signal && { signal }) }),
          extension,
        );
      }
      const now = new Date();
      await utimes(aside, now, now);
      await place(aside, name);
      return { name, size };
    },
    async find(name) {
      if (!FILE_NAME.test(name)) return null;
      const path = join(folder, name);
      const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
        if (NOT_THERE.has(error.code ?? '')) return null;
        // A disk that fails, or a folder of another machine that is away: what is stored there is not gone.
        throw new FilesAway(`${name}: ${error.code}`, { cause: error });
      });
      if (!found?.isFile()) return null;
      return { path, size: found.size, storedAt: Math.floor(found.mtimeMs), read: readerOf(path) };
    },
    async delete(name) {
      if (FILE_NAME.test(name)) await rm(join(folder, name), { force: true });
    },
    async *list() {
      for (const shelf of await namesIn(folder)) {
        if (!/^[0-9a-f]{2}$/.test(shelf)) continue;
        for (const file of await namesIn(join(folder, shelf))) {
          const name = `${shelf}/${file}`;
          const found = FILE_NAME.test(name) && (await stat(join(folder, name)).catch(() => null));
          if (found) yield { name, storedAt: found.mtimeMs };
        }
      }
    },
    async forgetUnfinished(before) {
      for (const name of await namesIn(incoming)) {
        const found = await stat(join(incoming, name)).catch(() => null);
        if (found && found.mtimeMs < before) await rm(join(incoming, name), { force: true });
      }
    },
  };
}

/** What a system says of a name that nothing has. */
const NOT_THERE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** A file that is stored again within this time (milliseconds) keeps its date: far less than files that nobody owns are kept. */
export const RENEW_AFTER = 60 * 60_000;
/** What is read from the disk at once (bytes): larger pieces are mapped anew each, which costs more than it saves. */
const PIECE = 64 * 1024;

/** Reads a file of this machine, or a part of it. It is opened before the first byte is promised to anybody. */
function readerOf(path: string): StoredFile['read'] {
  return async (range) => {
    const part = range ? { start: range.first, end: range.last } : {};
    const bytes = createReadStream(path, { highWaterMark: PIECE, ...part });
    await once(bytes, 'open');
    return bytes;
  };
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (NOT_THERE.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  });
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
