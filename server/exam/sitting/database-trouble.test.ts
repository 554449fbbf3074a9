import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusals } from '#contract/envelope.ts';
import { createApp } from '#server/app.ts';
import { localBus } from '#server/bus.ts';
import { openDb } from '#server/db/open.ts';
import { networkTo } from '#server/db/tcp-proxy.test-kit.ts';
import { assemble, START, type TestApp } from '#server/test-kit.ts';
import { HOUR, startScene } from '../scene.test-kit.ts';

const SAVE = 'POST /api/exam/save_question';
const SUBMIT = 'POST /api/exam/submit';
const url = process.env.TEST_DATABASE_URL ?? '';
/** What a browser waits for is 20 s; here every limit is shorter, and the machine may be busy. */
const SOON = 8000;

const folder = mkdtempSync(join(tmpdir(), 'lixue-trouble-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readiness = async (kit: TestApp) => {
  const { statusCode, body } = await kit.app.inject({ method: 'GET', url: '/readyz' });
  return { status: statusCode, why: (JSON.parse(body) as { why?: string }).why };
};

describe('SQLite', () => {
  const path = join(folder, 'lixue.db');
  let kit: TestApp;
  beforeAll(async () => {
    const open = () => openDb({ kind: 'sqlite', path, patience: 400 }, START);
    kit = await assemble(await open(), folder, { now: START }, true, open);
    kit.parts.log.level = 'silent';
  });
  afterAll(() => kit.close());

  /** Another process takes the write lock; @returns what makes it let go. */
  async function lockFromOutside(): Promise<() => Promise<void>> {
    const child = spawn(
      process.execPath,
      [
        '-e',
        `const db = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)});
        db.exec('begin immediate'); console.log('held'); process.stdin.on('data', () => process.exit(0));`,
      ],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    await once(child.stdout, 'data');
    return async () => {
      child.stdin.write('go');
      await once(child, 'exit');
    };
  }

  it('another process that holds the file: students are told in time, nothing stands still, nothing is lost', async () => {
    const { as, save, recordId, base } = await startScene(kit);
    const letGo = await lockFromOutside();
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 5);
    const began = performance.now();
    const replies = await Promise.all([0, 1, 2].map((at) => kit.raw(SAVE, save(at, 'A', at + 1), { as })));
    replies.push(await kit.raw(SUBMIT, base, { as }));
    expect(performance.now() - began).toBeLessThan(SOON);
    clearInterval(ticking);
    for (const { status, code, data } of replies) expect([status, code, data]).toEqual([503, 503, { why: 'busy' }]);
    // Reading goes on, and so does the event loop.
    expect(turns).toBeGreaterThan(20);
    expect((await kit.call('GET /api/exam/cache', { ...base }, { as })).code).toBe(200);
    expect(await readiness(kit)).toEqual({ status: 503, why: 'held' });
    // Who comes before the lock is gone is served when it is.
    const waiting = kit.raw(SAVE, save(0, 'A', 4), { as });
    await letGo();
    expect((await waiting).code).toBe(200);
    expect(await readiness(kit)).toEqual({ status: 200 });
    expect(await storedSeqs(kit, recordId)).toEqual([4]);
  });

  it('who reads is served while nothing can be written, also when it is time to note the use of the session', async () => {
    const { as, recordId } = await startScene(kit);
    kit.time.now = START + 2 * HOUR;
    const letGo = await lockFromOutside();
    expect((await kit.raw('GET /api/exam/cache', { recordId }, { as })).code).toBe(200);
    const began = performance.now();
    expect((await kit.raw('GET /api/user/exam_list', {}, { as })).code).toBe(200);
    expect(performance.now() - began).toBeLessThan(SOON / 4);
    await letGo();
    kit.time.now = START;
  });

  it('a full disk has a sentence of its own, is said once a second, and is over when there is room', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const app = await createApp({ ...kit.parts, log, bus: localBus() });
    const full: TestApp = await assemble(kit.db, folder, kit.time, true, async () => kit.db);
    const { as, save, ids, recordId } = await startScene(kit);
    const text = '字'.repeat(9000);
    const saveText = (seq: number) =>
      app.inject({
        method: 'POST',
        url: '/api/exam/save_question',
        headers: { authorization: `Bearer ${as.token}` },
        payload: { ...save(3, text, seq), questionId: ids[3] },
      });
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(kit.db.query);
    await sql.raw(`pragma max_page_count = ${rows[0]?.page_count}`).execute(kit.db.query);
    const began = performance.now();
    let tried = 0;
    // The pages that are free inside the file are used up first.
    let said = await saveText(++tried);
    for (let at = 0; said.statusCode === 200 && at < 200; at += 1) {
      await kit.db.query
        .insertInto('settings')
        .values({ key: `fill-${at}`, value: text })
        .execute()
        .catch(() => undefined);
      said = await saveText(++tried);
    }
    for (let at = 0; at < 20; at += 1) said = await saveText(++tried);
    expect([said.statusCode, said.json()]).toEqual([503, { ...refusals.cannotSave, data: { why: 'cannotSave' } }]);
    const readyz = await app.inject({ method: 'GET', url: '/readyz' });
    expect(readyz.statusCode === 503 ? readyz.json() : { ok: false, why: 'full' }).toEqual({ ok: false, why: 'full' });
    const seconds = Math.ceil((performance.now() - began) / 1000);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThanOrEqual(seconds + 1);
    expect(lines[0]).toMatchObject({ trouble: 'full', where: 'POST /api/exam/save_question' });
    expect(JSON.stringify(lines)).not.toContain('stack');

    await sql.raw('pragma max_page_count = 1000000').execute(kit.db.query);
    const back = performance.now();
    expect((await saveText(++tried)).statusCode).toBe(200);
    expect((await app.inject({ method: 'GET', url: '/readyz' })).statusCode).toBe(200);
    process.stdout.write(
      `full disk: saving again ${Math.round(performance.now() - back)} ms after there is room, ${lines.length} lines in ${seconds} s\n`,
    );
    expect((await storedSeqs(kit, recordId)).at(-1)).toBe(tried);
    await app.close();
    await full.app.close();
  });
});

describe.skipIf(url === '')('PostgreSQL', () => {
  it('away: saves are refused with their sentence, /readyz says so at once, and all goes on by itself', async () => {
    const database = `lixue_away_${process.pid}`;
    // Making and dropping a database waits for a checkpoint: on a busy machine longer than any other statement may take.
    const patient = { connect: 15_000, silent: 125_000, statement: 120_000, lock: 30_000, idleInTransaction: 30_000 };
    const admin = await openDb({ kind: 'postgres', url, schema: `test_${database}`, limits: patient }, START);
    await sql.raw(`create database ${database}`).execute(admin.query);
    const own = new URL(url);
    own.pathname = `/${database}`;
    const network = await networkTo(own.href);
    const limits = { connect: 500, silent: 500, statement: 400, lock: 200, idleInTransaction: 500 };
    const open = () => openDb({ kind: 'postgres', url: network.url, limits, patience: 1000 }, START);
    const kit = await assemble(await open(), folder, { now: START }, true, open);
    kit.parts.log.level = 'silent';
    const { as, save, base, recordId } = await startScene(kit);
    const readings = { as };
    expect((await kit.raw(SAVE, save(0, 'A', 1), readings)).code).toBe(200);

    network.swallowAll();
    const began = performance.now();
    const [first, second, submit, list, ready] = await Promise.all([
      kit.raw(SAVE, save(0, 'A', 2), { as }),
      kit.raw(SAVE, save(1, 'B', 3), { as }),
      kit.raw(SUBMIT, base, { as }),
      kit.raw('GET /api/exam/cache', base, { as }),
      readiness(kit),
    ]);
    expect(performance.now() - began).toBeLessThan(SOON);
    for (const reply of [first, second, submit]) {
      expect(reply).toMatchObject({ status: 503, ...refusals.cannotSave, data: { why: 'cannotSave' } });
    }
    expect(list).toMatchObject({ status: 503, data: { why: 'databaseAway' } });
    expect(ready.status).toBe(503);
    expect(['cut', 'away', 'silent']).toContain(ready.why);

    network.heal();
    const back = performance.now();
    await expect.poll(async () => (await readiness(kit)).status, { timeout: SOON }).toBe(200);
    expect((await kit.raw(SAVE, save(0, 'A', 2), { as })).code).toBe(200);
    process.stdout.write(`database away: saving again ${Math.round(performance.now() - back)} ms after it is there\n`);
    expect(await storedSeqs(kit, recordId)).toEqual([2]);

    // A setting that a start would refuse, changed while the server runs.
    await sql.raw(`alter database ${database} set synchronous_commit = off`).execute(admin.query);
    network.cut();
    await kit.chore('look at durability');
    expect(await readiness(kit)).toEqual({ status: 503, why: 'notDurable' });
    await sql.raw(`alter database ${database} reset synchronous_commit`).execute(admin.query);
    network.cut();
    await kit.chore('look at durability');
    expect(await readiness(kit)).toEqual({ status: 200 });

    await kit.close();
    await network.close();
    await sql.raw(`drop database ${database} with (force)`).execute(admin.query);
    await sql.raw(`drop schema test_${database} cascade`).execute(admin.query);
    await admin.close();
  }, 280_000);
});

async function storedSeqs(kit: TestApp, recordId: number): Promise<number[]> {
  const rows = await kit.db.query
    .selectFrom('exam_answers')
    .select('seq')
    .where('record_id', '=', recordId)
    .orderBy('seq')
    .execute();
  return rows.map(({ seq }) => seq);
}
