import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveAlone } from '#server/db/alone.ts';
import { type Db, openDb } from '#server/db/open.ts';
import { startScene } from '#server/exam/scene.test-kit.ts';
import { assemble, START, type TestApp } from '#server/test-kit.ts';
import { examine } from './doctor.ts';
import { examineDatabase } from './doctor-database.ts';
import type { Finding } from './finding.ts';

const home = mkdtempSync(join(tmpdir(), 'lixue-doctor-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
/** Nothing listens there. */
const PORT = '1';

async function look(env: Record<string, string>, now = START): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const finding of examine({ PORT, ...env }, now)) found.push(finding);
  return found;
}
const of = (found: Finding[], what: string) => found.filter((finding) => finding.what === what);

describe('doctor', () => {
  let dataDir: string;
  let kit: TestApp;
  beforeAll(async () => {
    dataDir = mkdtempSync(join(home, 'data-'));
    const open = () => openDb({ kind: 'sqlite', path: join(dataDir, 'lixue.db') }, START);
    kit = await assemble(await open(), dataDir, { now: START }, false, open);
    await kit.parts.files.put(randomBytes(9), 'png');
  });
  afterAll(() => kit.close());

  it('finds a sound installation sound, and changes nothing in it', async () => {
    const before = readdirSync(dataDir).sort();
    const found = await look({ DATA_DIR: dataDir });
    for (const what of ['Node', '磁盘空间', '写入磁盘', '账号', '文件存放', '数据表', '时钟', '到时收卷', '直播推流'])
      expect(of(found, what)).toEqual([expect.objectContaining({ verdict: expect.stringMatching(/好|注意/) })]);
    expect(of(found, '数据库')).toEqual([{ verdict: '好', what: '数据库', says: 'SQLite 能打开，提交会落盘' }]);
    expect(of(found, '写入磁盘')[0]?.says).toMatch(/^一次落盘 \d+\.\d 毫秒，最慢 \d+\.\d 毫秒$/);
    expect(of(found, '服务')[0]).toMatchObject({ verdict: '注意', says: expect.stringContaining('没有在运行') });
    expect(readdirSync(dataDir).sort()).toEqual(before);
  });

  it('says when the sweeper has not swept, and is content once it has', async () => {
    const { recordId } = await startScene(kit);
    const end = START + 3_600_000;
    expect(of(await look({ DATA_DIR: dataDir }, end + 59_000), '到时收卷')[0]?.verdict).toBe('好');
    expect(of(await look({ DATA_DIR: dataDir }, end + 61_000), '到时收卷')).toEqual([
      expect.objectContaining({ verdict: '坏', says: '1 份试卷已过时间一分钟以上还未收' }),
    ]);
    kit.time.now = end + 61_000;
    await kit.chore('exam: close overdue records');
    kit.time.now = START;
    expect(of(await look({ DATA_DIR: dataDir }, end + 61_000), '到时收卷')[0]?.verdict).toBe('好');
    expect(recordId).toBeGreaterThan(0);
  });

  it('notices a clock that was set back', async () => {
    expect(of(await look({ DATA_DIR: dataDir }, START - 10 * 60_000), '时钟')).toEqual([
      expect.objectContaining({ verdict: '坏', says: expect.stringMatching(/慢 \d+ 分钟/) }),
    ]);
  });

  it('tells a server that answers from one that is only there', async () => {
    const server = createServer((_request, answer) => answer.end('{"ok":true}')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    expect(of(await look({ DATA_DIR: dataDir, PORT: port }), '服务')[0]).toMatchObject({ verdict: '好' });
    server.close();
    const release = await serveAlone(dataDir);
    expect(release).not.toBeNull();
    // The lock is the kernel's and a process may always read its own: the question has to come from another one.
    const cli = join(import.meta.dirname, '..', 'cli.ts');
    const child = spawn(process.execPath, [cli, 'doctor'], {
      env: { ...process.env, DATA_DIR: dataDir, PORT, DATABASE_URL: '', REDIS_URL: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
    });
    await once(child, 'close');
    release?.();
    expect(said).toContain(`注意  服务：有一个服务在使用 ${dataDir}`);
  });

  it('says all that is wrong at once', async () => {
    const found = await look({ DATA_DIR: dataDir, PORT: 'x', TRUST_PROXIES: 'x', REDIS_URL: 'redis://127.0.0.1:1' });
    expect(of(found, '设置').map(({ verdict, says }) => [verdict, says.split(' ')[0]])).toEqual([
      ['坏', 'PORT'],
      ['坏', 'TRUST_PROXIES'],
    ]);
    expect(of(found, '数据库')[0]?.verdict).toBe('好');
    expect(of(found, 'Redis')).toEqual([expect.objectContaining({ verdict: '坏' })]);
  });

  it('knows a school without data, a file for a folder, a file that is no database, a newer database', async () => {
    const none = join(home, 'none');
    const empty = await look({ DATA_DIR: none });
    expect(of(empty, '数据文件夹')[0]).toMatchObject({ verdict: '注意', says: `还没有 ${none}` });
    expect(of(empty, '数据库')[0]?.verdict).toBe('注意');

    const file = join(home, 'a-file');
    writeFileSync(file, '');
    expect(of(await look({ DATA_DIR: file }), '数据文件夹')[0]).toMatchObject({ verdict: '坏' });

    const broken = mkdtempSync(join(home, 'broken-'));
    writeFileSync(join(broken, 'lixue.db'), 'not a database, but long enough to look like one'.repeat(100));
    expect(of(await look({ DATA_DIR: broken }), '数据库')[0]).toMatchObject({
      verdict: '坏',
      says: expect.stringContaining('打不开 SQLite'),
    });

    const newer = mkdtempSync(join(home, 'newer-'));
    const db: Db = await openDb({ kind: 'sqlite', path: join(newer, 'lixue.db') }, 1);
    await sql`insert into migrations (name, ran_at) values ('900-tomorrow', 1)`.execute(db.query);
    await db.close();
    expect(of(await look({ DATA_DIR: newer }), '数据表')[0]).toMatchObject({
      verdict: '坏',
      says: expect.stringContaining('900-tomorrow'),
    });
  });

  it('advises on settings that work but are not meant so', async () => {
    const school = {
      DATA_DIR: dataDir,
      NODE_ENV: 'production',
      SMS_PROVIDER: 'aliyun',
      SMS_ACCESS_KEY_ID: 'id',
      SMS_ACCESS_KEY_SECRET: 'secret',
      SMS_SIGN_NAME: '砺学',
      SMS_TEMPLATE_CODE: 'SMS_1',
    };
    const says = async (env: Record<string, string>) =>
      of(await look({ ...school, ...env }), '设置').map(({ says }) => says);
    expect(await says({})).toEqual(['没有 PUBLIC_URL']);
    expect(await says({ PUBLIC_URL: 'https://a.example.cn' })).toEqual([expect.stringContaining('TRUST_PROXIES 是 0')]);
    expect(await says({ PUBLIC_URL: 'https://a.example.cn', TRUST_PROXIES: '1' })).toEqual(['没有发现问题']);
    expect(of(await look({ DATA_DIR: dataDir }), '设置')[0]?.says).toContain('演示模式');
  });

  it.runIf(process.env.TEST_DATABASE_URL)('looks into PostgreSQL and its clock', async () => {
    const url = process.env.TEST_DATABASE_URL ?? '';
    const found = await look({ DATA_DIR: dataDir, DATABASE_URL: url }, Date.now());
    expect(of(found, '数据库')[0]).toMatchObject({ verdict: '好', says: expect.stringContaining('PostgreSQL') });
    const schema = `test_${randomBytes(6).toString('hex')}`;
    const target = { kind: 'postgres', url, schema } as const;
    const db = await openDb(target, Date.now());
    try {
      // What this machine believes counts for nothing: the time is the database's.
      const time = async () => of(await examineDatabase(target, 0), '时钟')[0];
      expect(await time()).toMatchObject({
        verdict: '好',
        says: expect.stringMatching(/^数据库的时间 .*晚于全部记录$/),
      });
      await sql`update migrations set ran_at = ${Date.now() + 10 * 60_000}`.execute(db.query);
      expect(await time()).toMatchObject({
        verdict: '坏',
        says: expect.stringMatching(/^数据库的时间比最近的记录慢 10 分钟/),
      });
    } finally {
      await sql`drop schema ${sql.id(schema)} cascade`.execute(db.query);
      await db.close();
    }
    const gone = new URL(url);
    gone.port = '1';
    const lost = await look({ DATA_DIR: dataDir, DATABASE_URL: gone.href });
    expect(of(lost, '数据库')[0]).toMatchObject({ verdict: '坏', says: expect.stringContaining('打不开 PostgreSQL') });
    expect(JSON.stringify(lost)).not.toContain(gone.password || 'no password in this address');
  });

  it.runIf(process.env.TEST_REDIS_URL)('sends itself a message through Redis', async () => {
    const found = await look({ DATA_DIR: dataDir, REDIS_URL: process.env.TEST_REDIS_URL ?? '' });
    expect(of(found, 'Redis')).toEqual([{ verdict: '好', what: 'Redis', says: '收发消息正常' }]);
  });
});
