import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Refused } from '#server/command.ts';
import { lookAt } from '#server/db/open.ts';
import { flushFolder } from '#server/files.ts';
import { countSqliteCopy } from './backup.ts';
import { type Counts, differences } from './counts.ts';
import {
  DATABASE,
  FILES,
  LONGEST_MANIFEST,
  MANIFEST,
  type Manifest,
  NO_BACKUP,
  RECORDINGS,
  readManifest,
} from './manifest.ts';
import { isThere, load } from './postgres-tools.ts';
import { recordedNames } from './recordings.ts';
import { bytesOf, hashInName, hashing, storedFiles } from './stored-files.ts';
import { BrokenArchive, readPackedTar, type TarEntry } from './tar.ts';
import { countRows } from './whole-database-store.ts';
import { makeWorkFolder, sweepWorkFolders } from './work-folder.ts';

/** How the folders are named in which backups are unpacked. */
const RESTORING = { prefix: 'restoring-', suffix: '' };

interface Restoring {
  /** The PostgreSQL database of this installation; null: SQLite. */
  databaseUrl: string | null;
  signal: AbortSignal;
  progress(done: number, of: number): void;
}

interface Restored {
  manifest: Manifest;
  /** Stored files and parts of recordings whose bytes are not what was promised; they are put in place all the same. */
  damaged: string[];
}

/**
 * Brings a backup back into an empty folder (and, for one of PostgreSQL, into the empty database of DATABASE_URL).
 * Everything is unpacked aside, compared with its sums and counts, and only then put in place: a broken backup leaves the
 * folder as empty as it was, and what one left that was killed meanwhile is taken away by the next.
 * @throws Refused with a sentence
 */
export async function restore(backup: string, dataDir: string, restoring: Restoring): Promise<Restored> {
  const folder = resolve(dataDir);
  await sweepWorkFolders(folder, RESTORING);
  await refuseUnlessEmpty(folder);
  const there = await stat(backup).catch(() => null);
  if (there === null) throw new Refused(`没有这个备份：${backup}`);
  const entries = there.isDirectory() ? folderEntries(backup) : readPackedTar(backup);
  const made = await mkdir(folder, { recursive: true });
  const working = await makeWorkFolder(join(folder, 'backup'), RESTORING);
  const work = working.path;
  try {
    const { manifest, damaged } = await unpack(entries, work, restoring);
    const database = join(work, DATABASE[manifest.database]);
    if (manifest.database === 'sqlite') await checkSqlite(database, manifest, restoring.databaseUrl);
    else await loadPostgres(database, manifest, restoring.databaseUrl);
    const files = join(work, 'files');
    await mkdir(files, { recursive: true });
    for (const shelf of await readdir(files)) await flushFolder(join(files, shelf));
    await flushFolder(files);
    await rename(files, join(folder, 'files'));
    if ((manifest.recordings ?? []).length > 0) {
      const recordings = join(work, 'live');
      for (const stream of await readdir(recordings)) await flushFolder(join(recordings, stream));
      await flushFolder(recordings);
      await rename(recordings, join(folder, 'live'));
    }
    // The database last: a folder without one is empty to the server.
    if (manifest.database === 'sqlite') await rename(database, join(folder, 'lixue.db'));
    await flushFolder(folder);
    if (made !== undefined) await flushFolder(dirname(made));
    return { manifest, damaged };
  } catch (error) {
    throw error instanceof BrokenArchive ? new Refused(NO_BACKUP) : error;
  } finally {
    await working.remove();
  }
}

async function refuseUnlessEmpty(folder: string): Promise<void> {
  const there = await stat(folder).catch(() => null);
  if (there === null) return;
  if (!there.isDirectory()) throw new Refused(`这不是文件夹：${folder}`);
  // A volume of its own has this folder from its beginning.
  const inside = (await readdir(folder)).filter((name) => name !== 'lost+found');
  if (inside.length > 0) throw new Refused(`只能恢复到空文件夹，这里已有内容：${folder}`);
}

async function* folderEntries(folder: string): AsyncGenerator<TarEntry> {
  const files = (await storedFiles(join(folder, 'files'))).map(({ name }) => `${FILES}${name}`);
  const parts = (await recordedNames(join(folder, 'live'))).map((name) => `${RECORDINGS}${name}`);
  for (const name of [MANIFEST, DATABASE.sqlite, DATABASE.postgres, ...files, ...parts]) {
    const path = join(folder, name);
    const there = await stat(path).catch(() => null);
    if (there) yield { name, size: there.size, body: bytesOf(path) };
  }
}

/** Writes the entries that belong to a backup into the folder and compares each with its sum. */
async function unpack(
  entries: AsyncIterable<TarEntry>,
  folder: string,
  { signal, progress }: Restoring,
): Promise<Restored> {
  let manifest: Manifest | null = null;
  let hasDatabase = false;
  const files = { count: 0, bytes: 0 };
  const parts = new Map<string, string>();
  const damaged: string[] = [];
  const seen = new Set<string>();
  for await (const { name, size, body } of entries) {
    signal.throwIfAborted();
    if (seen.has(name)) throw new Refused(NO_BACKUP);
    seen.add(name);
    if (name === MANIFEST) {
      if (size > LONGEST_MANIFEST) throw new Refused(NO_BACKUP);
      manifest = readManifest(await textOf(body));
      for (const part of manifest.recordings ?? []) parts.set(`${RECORDINGS}${part.name}`, part.hash);
      continue;
    }
    if (manifest === null) throw new Refused(NO_BACKUP);
    const isDatabase = name === DATABASE[manifest.database];
    const promised = isDatabase ? manifest.databaseHash : (parts.get(name) ?? hashOfStored(name));
    // Only names of a backup are written: nothing else may land in the folder, nor outside of it.
    if (promised === null) continue;
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    const read = hashing(body);
    await pipeline(Readable.from(read.body), createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
    if (isDatabase) {
      if (read.hash() !== promised) throw new Refused('备份里的数据库已损坏，没有恢复');
      hasDatabase = true;
    } else {
      if (read.hash() !== promised) damaged.push(name);
      if (parts.delete(name)) continue;
      files.count += 1;
      files.bytes += size;
      progress(files.count, manifest.files.count);
    }
  }
  if (manifest === null || !hasDatabase) throw new Refused(NO_BACKUP);
  if (parts.size > 0) throw new Refused(`备份里少了 ${parts.size} 段直播录像，没有恢复`);
  if (files.count !== manifest.files.count || files.bytes !== manifest.files.bytes)
    throw new Refused(`备份里有 ${files.count} 个文件，应为 ${manifest.files.count} 个，没有恢复`);
  return { manifest, damaged };
}

const hashOfStored = (name: string) => (name.startsWith(FILES) ? hashInName(name.slice(FILES.length)) : null);

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

function refuseDifferent(expected: Counts, found: Counts): void {
  const faults = differences(expected, found);
  if (faults.length > 0) throw new Refused(`恢复的数据与备份不一致，没有恢复：${faults.join('；')}`);
}

async function checkSqlite(path: string, manifest: Manifest, databaseUrl: string | null): Promise<void> {
  if (databaseUrl !== null)
    throw new Refused('这是 SQLite 的备份，而 DATABASE_URL 指向 PostgreSQL：请去掉 DATABASE_URL 后重试');
  refuseDifferent(manifest.counts, await countSqliteCopy(path));
}

async function loadPostgres(path: string, manifest: Manifest, databaseUrl: string | null): Promise<void> {
  if (databaseUrl === null) throw new Refused('这是 PostgreSQL 的备份：请用 DATABASE_URL 指明一个空的数据库后重试');
  if (!(await isThere('pg_restore')))
    throw new Refused('恢复 PostgreSQL 需要 pg_restore：请安装 PostgreSQL 客户端程序');
  const target = { kind: 'postgres', url: databaseUrl } as const;
  const rows = async () => {
    const there = await lookAt(target);
    try {
      return await countRows(there.query, 'postgres');
    } finally {
      await there.close();
    }
  };
  if (Object.keys(await rows()).length > 0)
    throw new Refused('DATABASE_URL 的数据库里已有数据表，只能恢复到空的数据库');
  await load(databaseUrl, path);
  refuseDifferent(manifest.counts, await rows());
}
