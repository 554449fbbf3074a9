import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandContext, Refused, WrongUsage } from '#server/command.ts';
import { type DbTarget, openDb } from '#server/db/open.ts';
import { startScene } from '#server/exam/scene.test-kit.ts';
import { localFiles } from '#server/files.ts';
import { assemble, databases, START, type TestApp } from '#server/test-kit.ts';
import { MANIFEST, type Manifest, readManifest, writeManifest } from './manifest.ts';
import { writeOldTar } from './old-tar.test-kit.ts';
import { operateCommands } from './operate-command.ts';
import { openRecordings } from './recordings.ts';
import { readPackedTar, type TarEntry, writeTar } from './tar.ts';

const url = process.env.TEST_DATABASE_URL ?? '';
const home = mkdtempSync(join(tmpdir(), 'lixue-backup-'));
let admin: pg.Client | null = null;
const made: string[] = [];

beforeAll(async () => {
  if (!url) return;
  admin = new pg.Client({ connectionString: url });
  await admin.connect();
});
afterAll(async () => {
  for (const name of made) await admin?.query(`drop database ${name} with (force)`);
  await admin?.end();
  rmSync(home, { recursive: true, force: true });
});

/** A place for an installation: an empty folder, and for PostgreSQL an empty database. */
async function place(kind: 'sqlite' | 'postgres'): Promise<{ target: DbTarget; dataDir: string; env: Env }> {
  const dataDir = mkdtempSync(join(home, 'data-'));
  if (kind === 'sqlite')
    return { target: { kind, path: join(dataDir, 'lixue.db') }, dataDir, env: { DATA_DIR: dataDir } };
  const name = `lixue_backup_${randomBytes(4).toString('hex')}`;
  await admin?.query(`create database ${name}`);
  made.push(name);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { target: { kind, url: own.href }, dataDir, env: { DATA_DIR: dataDir, DATABASE_URL: own.href } };
}

type Env = Record<string, string>;

async function open(target: DbTarget, dataDir: string): Promise<TestApp> {
  const fresh = () => openDb(target, START);
  return assemble(await fresh(), dataDir, { now: START }, false, fresh);
}

/** Runs a command as the command line does; @returns its code and what it said */
async function run(env: Env, name: string, ...args: string[]): Promise<{ code: number; said: string }> {
  const said: string[] = [];
  const command = operateCommands(env).find((known) => known.name === name);
  if (!command) throw new Error(`no such command: ${name}`);
  const context: CommandContext = {
    openDb: () => Promise.reject(new Error('a backup opens the database itself')),
    files: localFiles(join(home, 'none')),
    say: (line) => said.push(line),
    progress: { show: () => undefined, end: () => undefined },
    signal: new AbortController().signal,
  };
  return { code: await command.run(args, context), said: said.join('\n') };
}

const PICTURE = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');

describe.each(databases)('backup and restore on $name', ({ kind }) => {
  let env: Env;
  let kit: TestApp;
  let picture = '';
  let scene: Awaited<ReturnType<typeof startScene>>;
  beforeAll(async () => {
    const at = await place(kind);
    env = at.env;
    kit = await open(at.target, at.dataDir);
    scene = await startScene(kit);
    picture = await kit.parts.files.put(PICTURE, 'svg');
  });
  afterAll(() => kit.close());

  it.each(['backup.tar.gz', 'backup-folder'])('brings every acknowledged answer back: %s', async (name) => {
    const { as, base, save } = scene;
    // The server works on while the copy is made: what was acknowledged before has to be in it.
    await kit.ok('POST /api/exam/save_question', { ...save(0, 'A', Date.now()) }, { as });
    const before = await kit.ok('GET /api/exam/cache', base, { as });
    let saving = true;
    const meanwhile = (async () => {
      for (let seq = Date.now() + 1; saving; seq += 1) {
        await kit.ok('POST /api/exam/save_question', { ...save(1, 'C', seq) }, { as });
      }
    })();
    const to = join(home, `${kind}-${name}`);
    const done = await run(env, 'backup', to);
    saving = false;
    await meanwhile;
    expect(done).toEqual({ code: 0, said: expect.stringMatching(/^已备份到 .*1 个文件$/) });
    expect(statSync(to).mode & 0o077).toBe(0);

    const at = await place(kind);
    const restored = await run(at.env, 'restore', to, '--data-dir', at.dataDir);
    expect(restored.code).toBe(0);
    const again = await open(at.target, at.dataDir);
    const after = await again.ok('GET /api/exam/cache', base, { as });
    const first = before.answers.find(({ answer }) => answer === 'A');
    expect(first).toBeDefined();
    expect(after.answers).toContainEqual(first);
    expect(after.lastSeq).toBeGreaterThanOrEqual(before.lastSeq);
    const file = await again.parts.files.find(picture);
    expect(file?.size).toBe(PICTURE.byteLength);
    expect(readFileSync(file?.path ?? '')).toEqual(PICTURE);
    // The restored installation works on: the student hands in.
    expect(await again.ok('POST /api/exam/submit', base, { as })).toMatchObject({ closed: 'submitted', score: 2 });
    await again.close();
    expect(readdirSync(at.dataDir).filter((file) => !file.startsWith('lixue.db'))).toEqual(['files']);
  });

  it('overwrites nothing and leaves nothing of a failure', async () => {
    const file = join(home, `${kind}-there.tar.gz`);
    writeFileSync(file, 'mine');
    await expect(run(env, 'backup', file)).rejects.toThrow(new Refused(`已经存在，没有覆盖：${file}`));
    expect(readFileSync(file, 'utf8')).toBe('mine');
    const folder = join(home, `${kind}-there`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'a'), 'mine');
    await expect(run(env, 'backup', folder)).rejects.toThrow('没有覆盖');
    await expect(run(env, 'backup', join(home, 'nowhere', 'a.tar.gz'))).rejects.toThrow(/^没有这个文件夹/);
    expect(readdirSync(home).filter((name) => name.includes('partial'))).toEqual([]);
    await expect(run(env, 'backup')).rejects.toThrow(WrongUsage);
  });

  it('restores into an empty folder only', async () => {
    const to = join(home, `${kind}-full.tar.gz`);
    await run(env, 'backup', to);
    await expect(run(env, 'restore', to, '--data-dir', env.DATA_DIR ?? '')).rejects.toThrow(/^只能恢复到空文件夹/);
    await expect(run(env, 'restore', to)).rejects.toThrow(WrongUsage);
    const nowhere = join(home, 'nothing.tar.gz');
    await expect(run(env, 'restore', nowhere, '--data-dir', join(home, 'x'))).rejects.toThrow(/^没有这个备份/);
    expect(existsSync(join(home, 'x'))).toBe(false);
  });

  if (kind === 'postgres') {
    it('restores into an empty database only', async () => {
      const empty = join(home, 'empty-for-postgres');
      const to = join(home, 'postgres-full.tar.gz');
      await expect(run(env, 'restore', to, '--data-dir', empty)).rejects.toThrow(/只能恢复到空的数据库/);
      await expect(run({}, 'restore', to, '--data-dir', empty)).rejects.toThrow(/请用 DATABASE_URL/);
      expect(readdirSync(empty)).toEqual([]);
    });
  }
});

describe('what was recorded of a lesson whose replay is not made yet', () => {
  const stream = '0123456789abcdef0123';
  const begun = Buffer.from('FLV: what was sent until now');

  /** An installation with two parts, of which one is still being written, and what is none. */
  async function recorded() {
    const at = await place('sqlite');
    await (await open(at.target, at.dataDir)).close();
    const folder = join(at.dataDir, 'live', stream);
    mkdirSync(folder, { recursive: true });
    const [first, second] = ['0001-1790000000000.flv', '0002-1790000900000.flv'].map((name) => join(folder, name));
    writeFileSync(first ?? '', randomBytes(3_000_000));
    writeFileSync(second ?? '', begun);
    writeFileSync(join(folder, 'note.txt'), 'no part');
    writeFileSync(join(at.dataDir, 'live', 'stray.flv'), 'no part');
    return { ...at, first: first ?? '', second: second ?? '' };
  }
  const partsIn = (dataDir: string) =>
    (readdirSync(join(dataDir, 'live'), { recursive: true }) as string[])
      .filter((name) => name.endsWith('.flv'))
      .sort();

  it.each(['recorded.tar.gz', 'recorded'])('is in its backup and comes back: %s', async (name) => {
    const at = await recorded();
    const to = join(home, name);
    // The teacher sends on while the backup reads.
    let sending = true;
    const meanwhile = (async () => {
      for (; sending; await new Promise((turn) => setTimeout(turn, 1))) appendFileSync(at.second, 'and on');
    })();
    const done = await run(at.env, 'backup', to);
    sending = false;
    await meanwhile;
    expect(done).toEqual({ code: 0, said: expect.stringContaining('，2 段直播录像') });
    const into = mkdtempSync(join(home, 'recorded-'));
    const back = await run({}, 'restore', to, '--data-dir', into);
    expect(back).toEqual({ code: 0, said: expect.stringContaining('，2 段直播录像') });
    expect(partsIn(into)).toEqual([`${stream}/0001-1790000000000.flv`, `${stream}/0002-1790000900000.flv`]);
    const [whole, part] = [at.first, at.second].map((path) => readFileSync(join(into, path.slice(at.dataDir.length))));
    expect(whole?.equals(readFileSync(at.first))).toBe(true);
    expect(part?.subarray(0, begun.length)).toEqual(begun);
    expect(readFileSync(at.second).subarray(0, part?.length)).toEqual(part);
  });

  it('comes back also in thousands of parts: each jump of an encoder begins one', async () => {
    const at = await recorded();
    const most = 6000;
    for (let part = 3; part <= most; part += 1)
      writeFileSync(join(at.dataDir, 'live', stream, `${String(part).padStart(4, '0')}-1790000900000.flv`), 'FLV');
    const to = join(home, 'recorded-thousands.tar.gz');
    expect(await run(at.env, 'backup', to)).toMatchObject({ code: 0 });
    const into = mkdtempSync(join(home, 'recorded-'));
    expect(await run({}, 'restore', to, '--data-dir', into)).toMatchObject({ code: 0 });
    expect(partsIn(into)).toHaveLength(most);
  });

  it('is read to where it came also when it is removed meanwhile', async () => {
    const at = await recorded();
    const parts = await openRecordings(join(at.dataDir, 'live'));
    rmSync(join(at.dataDir, 'live'), { recursive: true });
    const signal = new AbortController().signal;
    const measured = await parts.measure(signal);
    expect(measured.map(({ name, size }) => [name.slice(-22), size])).toEqual([
      ['0001-1790000000000.flv', 3_000_000],
      ['0002-1790000900000.flv', begun.length],
    ]);
    const pieces: Uint8Array[] = [];
    for await (const piece of parts.bytesOf(measured[1] ?? { name: '', size: 0, hash: '' })) pieces.push(piece);
    expect(Buffer.concat(pieces)).toEqual(begun);
    await parts.close();
  });

  it('that was changed is said and brought back, one that is missing refuses the backup', async () => {
    const at = await recorded();
    const to = join(home, 'recorded-broken');
    await run(at.env, 'backup', to);
    const second = join(to, 'live', stream, '0002-1790000900000.flv');
    writeFileSync(second, Buffer.alloc(begun.length));
    const into = mkdtempSync(join(home, 'recorded-'));
    expect(await run({}, 'restore', to, '--data-dir', into)).toEqual({
      code: 0,
      said: expect.stringContaining(`备份里的这个文件已损坏：live/${stream}/0002-1790000900000.flv`),
    });
    expect(partsIn(into)).toHaveLength(2);
    rmSync(second);
    const nowhere = join(home, 'recorded-nowhere');
    await expect(run({}, 'restore', to, '--data-dir', nowhere)).rejects.toThrow('备份里少了 1 段直播录像，没有恢复');
    expect(existsSync(nowhere) ? readdirSync(nowhere) : []).toEqual([]);
  });
});

describe('a backup that was killed', () => {
  it('leaves nothing under its name, and what it left beside that goes with the next one, not before it is dead', async () => {
    const folder = mkdtempSync(join(home, 'killed-'));
    const [killed, other] = [await place('sqlite'), await place('sqlite')];
    for (const at of [killed, other]) await (await open(at.target, at.dataDir)).close();
    // A stored file that nobody ever writes: the backup waits for it in its middle.
    const shelf = join(killed.dataDir, 'files', '00');
    mkdirSync(shelf, { recursive: true });
    spawnSync('mkfifo', [join(shelf, `${'0'.repeat(64)}.svg`)]);
    const words = ['backup', join(folder, 'killed.tar.gz')];
    const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'cli.ts'), ...words], {
      env: { ...process.env, DATABASE_URL: '', ...killed.env },
      stdio: 'ignore',
    });
    const gone = once(child, 'exit');
    await expect
      .poll(() => readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith('archive')), {
        timeout: 15_000,
      })
      .toBe(true);
    const left = readdirSync(folder);
    expect(left).toEqual([expect.stringMatching(/^killed\.tar\.gz\.[0-9a-f]{8}\.partial$/)]);
    await run(other.env, 'backup', join(folder, 'b.tar.gz'));
    expect(readdirSync(folder).sort(), 'it lives').toEqual(['b.tar.gz', ...left]);
    child.kill('SIGKILL');
    await gone;
    await run(other.env, 'backup', join(folder, 'c'));
    expect(readdirSync(folder).sort()).toEqual(['b.tar.gz', 'c']);
  });

  it('or a restore: the next one takes away what it left', async () => {
    const at = await place('sqlite');
    await (await open(at.target, at.dataDir)).close();
    const to = join(home, 'for-restore.tar.gz');
    await run(at.env, 'backup', to);
    const into = mkdtempSync(join(home, 'half-'));
    mkdirSync(join(into, 'restoring-backup.0123abcd', 'files'), { recursive: true });
    expect(await run({}, 'restore', to, '--data-dir', into)).toMatchObject({ code: 0 });
    expect(readdirSync(into).sort()).toEqual(['files', 'lixue.db']);
  });
});

describe('the disk', () => {
  const { link, open: openFile, rename } = fs;
  /** What is given a name or flushed, in order. */
  const done: string[] = [];
  beforeAll(() => {
    fs.link = async (from, to) => {
      await link(from, to);
      done.push(`name ${String(to)}`);
    };
    fs.rename = async (from, to) => {
      await rename(from, to);
      done.push(`name ${String(to)}`);
    };
    fs.open = async (path, ...how) => {
      const file = await openFile(path, ...how);
      const sync = file.sync.bind(file);
      file.sync = async () => {
        await sync();
        done.push(`flush ${String(path)}`);
      };
      return file;
    };
    syncBuiltinESMExports();
  });
  afterAll(() => {
    Object.assign(fs, { link, open: openFile, rename });
    syncBuiltinESMExports();
  });
  /** Whether the folder of a name was flushed after the name was given. */
  const flushed = (name: string) => done.lastIndexOf(`flush ${dirname(name)}`) > done.indexOf(`name ${name}`);

  it('has every name for good: of a backup, of what was restored, of a stored file', async () => {
    const folder = mkdtempSync(join(home, 'disk-'));
    const at = await place('sqlite');
    const kit = await open(at.target, at.dataDir);
    const picture = join(at.dataDir, 'files', await kit.parts.files.put(PICTURE, 'svg'));
    await kit.close();
    const [packed, unpacked, into] = [join(folder, 'a.tar.gz'), join(folder, 'a'), join(folder, 'into')];
    await run(at.env, 'backup', packed);
    await run(at.env, 'backup', unpacked);
    await run({}, 'restore', unpacked, '--data-dir', into);
    const names = [picture, packed, unpacked, join(into, 'files'), join(into, 'lixue.db')];
    expect(names.filter((name) => !done.includes(`name ${name}`) || !flushed(name))).toEqual([]);
    // The shelf of the picture is an entry of its own.
    expect(done).toContain(`flush ${join(at.dataDir, 'files')}`);
  });
});

describe('a broken backup', () => {
  let good: Buffer;
  let manifest: Manifest;
  const intoFolder = join(home, 'never');
  beforeAll(async () => {
    const at = await place('sqlite');
    const kit = await open(at.target, at.dataDir);
    await kit.parts.files.put(PICTURE, 'svg');
    await startScene(kit);
    const to = join(home, 'good.tar.gz');
    await run(at.env, 'backup', to);
    good = readFileSync(to);
    const folder = join(home, 'good-folder');
    await run(at.env, 'backup', folder);
    manifest = readManifest(readFileSync(join(folder, MANIFEST), 'utf8'));
    await kit.close();
  });

  const refusal = async (bytes: Uint8Array) => {
    const path = join(home, `broken-${randomBytes(4).toString('hex')}.tar.gz`);
    writeFileSync(path, bytes);
    const error = await run({}, 'restore', path, '--data-dir', intoFolder).catch((refused: unknown) => refused);
    expect(existsSync(intoFolder) ? readdirSync(intoFolder) : []).toEqual([]);
    return error;
  };

  it('is read by any tar', () => {
    const { stdout } = spawnSync('tar', ['-tzvf', join(home, 'good.tar.gz')], { encoding: 'utf8' });
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/).at(-1)),
    ).toEqual(['backup.json', 'lixue.db', expect.stringMatching(/^files\/[0-9a-f]{2}\/[0-9a-f]{64}\.svg$/)]);
  });

  it('is refused whole: cut short, changed, not a backup at all', async () => {
    const refused = expect.objectContaining({ message: expect.stringMatching(/^这不是砺学的备份，或者备份不完整/) });
    expect(await refusal(good.subarray(0, Math.floor(good.length * 0.6)))).toEqual(refused);
    expect(await refusal(good.subarray(0, good.length - 4))).toEqual(refused);
    expect(await refusal(Buffer.from('hello'))).toEqual(refused);
    expect(await refusal(Buffer.alloc(0))).toEqual(refused);
    expect(await refusal(gzipSync('hello'.repeat(1000)))).toEqual(refused);
    expect(await refusal(gzipSync(Buffer.alloc(1024)))).toEqual(refused);
    const plain = gunzipSync(good);
    const at = plain.indexOf('SQLite format 3') + 5000;
    plain[at] = (plain[at] ?? 0) ^ 1;
    expect(await refusal(gzipSync(plain))).toEqual(new Refused('备份里的数据库已损坏，没有恢复'));
  });

  /** The archive again, made by the given writer of what `change` leaves of its entries. */
  async function madeAgain(
    write: typeof writeTar,
    change: (entries: AsyncIterable<TarEntry>) => AsyncIterable<TarEntry> = (entries) => entries,
  ): Promise<string> {
    const path = join(home, `again-${randomBytes(4).toString('hex')}.tar.gz`);
    const pieces: Uint8Array[] = [];
    for await (const piece of write(change(readPackedTar(join(home, 'good.tar.gz'))), START)) pieces.push(piece);
    writeFileSync(path, gzipSync(Buffer.concat(pieces)));
    return path;
  }

  const entry = (name: string, text: string): TarEntry => ({
    name,
    size: Buffer.byteLength(text),
    body: Readable.from([Buffer.from(text)]),
  });

  it.each([
    ['before November 2026', writeOldTar],
    ['today', writeTar],
  ])('made %s is brought back', async (_when, write) => {
    const into = mkdtempSync(join(home, 'old-'));
    const done = await run({}, 'restore', await madeAgain(write), '--data-dir', into);
    expect(done).toMatchObject({ code: 0, said: expect.stringContaining('1 个文件') });
    const picture = readdirSync(join(into, 'files'), { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith('.svg'),
    );
    expect(readFileSync(join(into, 'files', picture ?? ''))).toEqual(PICTURE);
    expect(statSync(join(into, 'lixue.db')).size).toBeGreaterThan(10_000);
  });

  it('puts nothing where it does not belong', async () => {
    const names = [
      ...['../outside', '/tmp/lixue-outside', 'files/../../outside', 'files/ab/../../../outside', 'files'],
      ...['live/../../outside', 'live/0123456789abcdef0123/0001-1790000000000.flv'],
    ];
    const path = await madeAgain(writeTar, async function* (entries) {
      for await (const good of entries) {
        yield good;
        if (good.name === MANIFEST) for (const name of names) yield entry(name, 'outside');
      }
    });
    const parent = mkdtempSync(join(home, 'hostile-'));
    const into = join(parent, 'into');
    expect(await run({}, 'restore', path, '--data-dir', into)).toMatchObject({ code: 0 });
    expect([readdirSync(parent), readdirSync(into).sort()]).toEqual([['into'], ['files', 'lixue.db']]);
    expect(existsSync('/tmp/lixue-outside')).toBe(false);
  });

  it.each(['backup.json', 'lixue.db', 'files'])('is refused when %s is in it twice', async (which) => {
    const path = await madeAgain(writeTar, async function* (entries) {
      for await (const { name, size, body } of entries) {
        const pieces: Uint8Array[] = [];
        for await (const piece of body) pieces.push(piece);
        const times = name.startsWith(which) ? 2 : 1;
        for (let time = 0; time < times; time += 1) yield { name, size, body: Readable.from(pieces) };
      }
    });
    await expect(run({}, 'restore', path, '--data-dir', intoFolder)).rejects.toThrow(/^这不是砺学的备份/);
    expect(existsSync(intoFolder) ? readdirSync(intoFolder) : []).toEqual([]);
  });

  it('is refused when the counts differ from what it says', async () => {
    const folder = join(home, 'good-folder');
    const users = (manifest.counts.users ?? 0) + 1;
    writeFileSync(join(folder, MANIFEST), writeManifest({ ...manifest, counts: { ...manifest.counts, users } }));
    await expect(run({}, 'restore', folder, '--data-dir', intoFolder)).rejects.toThrow(/users: \d+ 行，应为 \d+ 行/);
    writeFileSync(join(folder, MANIFEST), JSON.stringify({ ...manifest, format: 3 }));
    await expect(run({}, 'restore', folder, '--data-dir', intoFolder)).rejects.toThrow('来自更新版本');
    writeFileSync(join(folder, MANIFEST), writeManifest(manifest));
    rmSync(join(folder, 'files'), { recursive: true });
    await expect(run({}, 'restore', folder, '--data-dir', intoFolder)).rejects.toThrow('备份里有 0 个文件，应为 1 个');
    expect(readdirSync(intoFolder)).toEqual([]);
  });

  it('is refused when any bit of what it says of itself has changed', () => {
    const text = Buffer.from(writeManifest(manifest));
    expect(readManifest(text.toString('utf8'))).toEqual(manifest);
    const unnoticed: number[] = [];
    for (let bit = 0; bit < text.length * 8; bit += 1) {
      const changed = Buffer.from(text);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      try {
        readManifest(changed.toString('utf8'));
        unnoticed.push(bit);
      } catch (error) {
        expect(error).toBeInstanceOf(Refused);
      }
    }
    expect(unnoticed).toEqual([]);
    // An earlier version wrote no sum.
    expect(readManifest(JSON.stringify({ ...manifest, format: 1 }))).toEqual({ ...manifest, format: 1 });
  });

  it('says which stored file the disk has changed, and keeps the rest', async () => {
    const at = await place('sqlite');
    const kit = await open(at.target, at.dataDir);
    const name = await kit.parts.files.put(PICTURE, 'svg');
    await kit.close();
    truncateSync(join(at.dataDir, 'files', name), 3);
    const to = join(home, 'damaged.tar.gz');
    expect(await run(at.env, 'backup', to)).toEqual({
      code: 1,
      said: expect.stringContaining(`已损坏，请从以前的备份取回：files/${name}`),
    });
    expect(existsSync(to)).toBe(true);
  });

  it('without a database says so', async () => {
    const none = mkdtempSync(join(home, 'none-'));
    await expect(run({ DATA_DIR: none }, 'backup', join(home, 'none.tar.gz'))).rejects.toThrow(
      /^没有数据库 .*，请检查 DATA_DIR$/,
    );
  });
});
