import { createWriteStream } from 'node:fs';
import { chmod, link, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Refused } from '#server/command.ts';
import { type DbTarget, lookAt, type Query } from '#server/db/open.ts';
import { flushFolder } from '#server/files.ts';
import { type Counts, copyFaults } from './counts.ts';
import { DATABASE, FILES, MANIFEST, type Manifest, programVersion, RECORDINGS, writeManifest } from './manifest.ts';
import { countDumped, dump, isThere } from './postgres-tools.ts';
import { type OpenRecordings, openRecordings } from './recordings.ts';
import { bytesOf, hashInName, hashing, hashOf, storedFiles } from './stored-files.ts';
import { BrokenArchive, readPackedTar, type TarEntry, writeTar } from './tar.ts';
import { copyInto, countRows, integrityFaults } from './whole-database-store.ts';
import { makeWorkFolder, sweepWorkFolders } from './work-folder.ts';

interface BackupSource {
  target: DbTarget;
  /** The folder of stored files. */
  filesFolder: string;
  /** The folder of recordings of live lessons. */
  recordingsFolder: string;
}

/** How the folders are named in which backups are made. */
const PARTIAL = { prefix: '', suffix: '.partial' };

interface Watching {
  now: number;
  signal: AbortSignal;
  /** Stored files done, of how many. */
  progress(step: 'files' | 'verify', done: number, of: number): void;
}

interface BackupReport {
  manifest: Manifest;
  /** Bytes of the whole backup. */
  bytes: number;
  /** Stored files (`files/…`) whose bytes are no longer what their names say: the disk has changed them. They are in the backup. */
  damaged: string[];
}

/**
 * Copies an installation while its server runs: a consistent snapshot of the database, then the stored files, which
 * never change once written, so that every file the snapshot names is among them; and what was recorded of lessons whose replay is
 * not made yet, as far as it is written. The copy is opened and counted before
 * it gets its name; what is at that name already is never overwritten. What a killed backup left beside it is taken away.
 * @param to a file ending in .tar.gz or .tgz, or a folder that does not exist or is empty
 * @throws Refused with a sentence; nothing is left behind
 */
export async function backUp(source: BackupSource, to: string, watching: Watching): Promise<BackupReport> {
  const path = resolve(to);
  const packed = /\.(tar\.gz|tgz)$/i.test(path);
  await refuseIfThere(path, packed);
  const parent = dirname(path);
  await sweepWorkFolders(parent, PARTIAL);
  // Before the database is read: once a replay is made its recording goes, and the snapshot may not know the replay.
  const recordings = await openRecordings(source.recordingsFolder);
  const working = await makeWorkFolder(path, PARTIAL).catch(async (error: unknown) => {
    await recordings.close();
    if (codeOf(error) === 'ENOENT') throw new Refused(`没有这个文件夹：${parent}`);
    throw error;
  });
  try {
    const work = join(working.path, 'backup');
    await mkdir(work, { mode: 0o700 });
    const database = join(work, DATABASE[source.target.kind]);
    const counts = await copyDatabase(source.target, database);
    watching.signal.throwIfAborted();
    const manifest: Manifest = {
      format: 2,
      madeAt: new Date(watching.now).toISOString(),
      version: programVersion(),
      database: source.target.kind,
      databaseHash: await hashOf(database),
      counts,
      files: { count: 0, bytes: 0 },
    };
    const files = await storedFiles(source.filesFolder);
    manifest.files = { count: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
    manifest.recordings = await recordings.measure(watching.signal);
    const damaged: string[] = [];
    const entries = entriesOf({ source, recordings }, manifest, database, files, damaged, watching);
    if (!packed) {
      const folders = await writeFolder(work, entries);
      await verify(folderEntries(work, manifest, files), manifest, damaged, watching);
      // The manifest is named last: a folder without it is no backup.
      await writeFile(join(work, MANIFEST), writeManifest(manifest), { mode: 0o600, flush: true });
      for (const folder of [...folders, work]) await flushFolder(folder);
      await rename(work, path).catch(refuseOverwriting(path));
      await flushFolder(parent);
      return {
        manifest,
        bytes: contentBytes(manifest) + (await stat(join(path, DATABASE[manifest.database]))).size,
        damaged,
      };
    }
    const archive = join(working.path, 'archive');
    await pipeline(
      Readable.from(writeTar(entries, watching.now)),
      createGzip(),
      createWriteStream(archive, { mode: 0o600, flags: 'wx', flush: true }),
    );
    await verify(readPackedTar(archive), manifest, damaged, watching).catch((error: unknown) => {
      throw error instanceof BrokenArchive ? new Refused(UNREADABLE) : error;
    });
    const { size: bytes } = await stat(archive);
    await nameWithoutOverwriting(archive, path);
    await flushFolder(parent);
    return { manifest, bytes, damaged };
  } finally {
    await recordings.close();
    await working.remove();
  }
}

const contentBytes = ({ files, recordings = [] }: Manifest) =>
  recordings.reduce((sum, { size }) => sum + size, files.bytes);

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : '');

function refuseOverwriting(path: string) {
  return (error: unknown): never => {
    if (['EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EISDIR'].includes(String(codeOf(error))))
      throw new Refused(`已经存在，没有覆盖：${path}`);
    throw error;
  };
}

async function refuseIfThere(path: string, packed: boolean): Promise<void> {
  const there = await stat(path).catch(() => null);
  if (there === null) return;
  const empty = !packed && there.isDirectory() && (await readdir(path)).length === 0;
  if (!empty) throw new Refused(`已经存在，没有覆盖：${path}`);
}

/** A second name is refused where one is, a renaming is not; file systems without second names (exFAT) get the renaming. */
async function nameWithoutOverwriting(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: unknown) => {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(String(codeOf(error))))
      return refuseOverwriting(to)(error);
    await refuseIfThere(to, true);
    await rename(from, to);
  });
}

/** @returns the rows of the copy by table @throws Refused when the copy cannot be whole */
async function copyDatabase(target: DbTarget, to: string): Promise<Counts> {
  if (target.kind === 'postgres' && !((await isThere('pg_dump')) && (await isThere('pg_restore')))) {
    throw new Refused(
      '备份 PostgreSQL 需要 pg_dump 和 pg_restore：请安装 PostgreSQL 客户端程序，或在数据库服务器上用 pg_dump 备份，并另外复制 DATA_DIR 下的 files 文件夹',
    );
  }
  if (target.kind === 'sqlite' && !(await stat(target.path).catch(() => null)))
    throw new Refused(`没有数据库 ${target.path}，请检查 DATA_DIR`);
  const live = await lookAt(target);
  try {
    const before = await countRows(live.query, target.kind);
    const counts = target.kind === 'sqlite' ? await copySqlite(live.query, to) : await copyPostgres(target.url, to);
    const faults = copyFaults(before, counts, await countRows(live.query, target.kind));
    if (faults.length > 0) throw new Refused(`备份与数据库不一致，没有保存：${faults.join('；')}`);
    return counts;
  } finally {
    await live.close();
  }
}

async function copySqlite(query: Query, to: string): Promise<Counts> {
  await copyInto(query, to);
  await chmod(to, 0o600);
  await flush(to);
  return countSqliteCopy(to);
}

async function copyPostgres(url: string, to: string): Promise<Counts> {
  await dump(url, to);
  await chmod(to, 0o600);
  await flush(to);
  return countDumped(to);
}

/** Opens a copied SQLite file, checks it whole and counts it. @throws Refused when it is damaged */
export async function countSqliteCopy(path: string): Promise<Counts> {
  const copy = await lookAt({ kind: 'sqlite', path });
  try {
    const faults = await integrityFaults(copy.query);
    if (faults !== null) throw new Refused(`数据库文件已损坏：${faults.join('；')}`);
    return await countRows(copy.query, 'sqlite');
  } finally {
    await copy.close();
    // Looking at a WAL database leaves its empty companions.
    for (const tail of ['-wal', '-shm']) await rm(`${path}${tail}`, { force: true });
  }
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync();
  await file.close();
}

async function* entriesOf(
  { source, recordings }: { source: BackupSource; recordings: OpenRecordings },
  manifest: Manifest,
  database: string,
  files: readonly { name: string; size: number }[],
  damaged: string[],
  { signal, progress }: Watching,
): AsyncGenerator<TarEntry> {
  const text = Buffer.from(writeManifest(manifest));
  yield { name: MANIFEST, size: text.byteLength, body: Readable.from([text]) };
  yield { name: DATABASE[manifest.database], size: (await stat(database)).size, body: bytesOf(database) };
  for (const [at, { name, size }] of files.entries()) {
    signal.throwIfAborted();
    const read = hashing(bytesOf(join(source.filesFolder, name)));
    yield { name: `${FILES}${name}`, size, body: read.body };
    if (read.hash() !== hashInName(name)) damaged.push(`${FILES}${name}`);
    progress('files', at + 1, files.length);
  }
  for (const part of manifest.recordings ?? []) {
    signal.throwIfAborted();
    yield { name: `${RECORDINGS}${part.name}`, size: part.size, body: recordings.bytesOf(part) };
  }
}

/** The database lies in the folder already, and the manifest comes last. @returns the folders that were made in it */
async function writeFolder(folder: string, entries: AsyncIterable<TarEntry>): Promise<Set<string>> {
  const made = new Set<string>();
  for await (const { name, body } of entries) {
    const parent = [FILES, RECORDINGS].find((known) => name.startsWith(known));
    if (parent === undefined) continue;
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await pipeline(body, createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true }));
    made.add(dirname(path)).add(join(folder, parent));
  }
  return made;
}

async function* folderEntries(
  folder: string,
  manifest: Manifest,
  files: readonly { name: string; size: number }[],
): AsyncGenerator<TarEntry> {
  const parts = (manifest.recordings ?? []).map((part) => `${RECORDINGS}${part.name}`);
  for (const name of [DATABASE[manifest.database], ...files.map((file) => `${FILES}${file.name}`), ...parts]) {
    const path = join(folder, name);
    yield { name, size: (await stat(path)).size, body: bytesOf(path) };
  }
}

const UNREADABLE = '备份读回来不完整，没有保存。请检查磁盘';

/** Reads a finished backup from its beginning to its end and compares every byte's sum. */
async function verify(
  entries: AsyncIterable<TarEntry>,
  manifest: Manifest,
  damaged: readonly string[],
  { signal, progress }: Watching,
): Promise<void> {
  const parts = new Map((manifest.recordings ?? []).map((part) => [`${RECORDINGS}${part.name}`, part.hash]));
  let count = 0;
  let hasDatabase = false;
  for await (const { name, body } of entries) {
    signal.throwIfAborted();
    const read = hashing(body);
    for await (const _ of read.body);
    const hash = read.hash();
    if (name === DATABASE[manifest.database]) hasDatabase = hash === manifest.databaseHash;
    if (parts.has(name) && parts.get(name) !== hash) throw new Refused(`备份里的直播录像与原文件不同：${name}`);
    parts.delete(name);
    if (!name.startsWith(FILES)) continue;
    if (hash !== hashInName(name.slice(FILES.length)) && !damaged.includes(name))
      throw new Refused(`备份里的文件与原文件不同：${name}`);
    count += 1;
    progress('verify', count, manifest.files.count);
  }
  if (!hasDatabase || count !== manifest.files.count || parts.size > 0) throw new Refused(UNREADABLE);
}
