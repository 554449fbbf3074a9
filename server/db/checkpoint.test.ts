import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { logCheckpointer } from './checkpoint.ts';
import { openSqlite } from './sqlite.ts';

it('the log is copied back by a thread, and begins anew instead of growing on', { timeout: 30_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lixue-checkpoint-'));
  const path = join(folder, 'test.db');
  const file = openSqlite(path, 1000);
  const db = new Kysely<{ t: { x: string } }>({ dialect: file.dialect });
  await sql`create table t (x text)`.execute(db);
  const megabyte = 'x'.repeat(1024 * 1024);
  const sizeOf = (name: string) => statSync(name).size / 1024 / 1024;
  for (let written = 8; written <= 48; written += 8) {
    for (let at = 0; at < 8; at += 1) await db.insertInto('t').values({ x: megabyte }).execute();
    // Passes come a second apart at most. The small writes stand for a school that goes on working.
    const until = Date.now() + 20_000;
    while (sizeOf(path) < written && Date.now() < until) {
      await db.insertInto('t').values({ x: 'small' }).execute();
      await new Promise((next) => setTimeout(next, 20));
    }
    expect(sizeOf(path)).toBeGreaterThanOrEqual(written);
  }
  expect(sizeOf(`${path}-wal`)).toBeLessThan(40);
  const { count } = await db
    .selectFrom('t')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('x', '=', megabyte)
    .executeTakeFirstOrThrow();
  expect(count).toBe(48);
  await file.close();
  await db.destroy();
  rmSync(folder, { recursive: true, force: true });
});

it('a thread that fails hurts nobody, and the next pass starts another', { timeout: 30_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lixue-checkpoint-'));
  const path = join(folder, 'later', 'test.db');
  const megabyte = 1024 * 1024;
  let db: DatabaseSync | null = null;
  const fill = () => {
    mkdirSync(join(folder, 'later'));
    db = new DatabaseSync(path);
    db.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table t (x text)');
    db.prepare('insert into t values (?)').run('x'.repeat(megabyte));
  };
  let failures = 0;
  const checkpointer = logCheckpointer(
    path,
    () => {
      failures += 1;
    },
    () => undefined,
  );
  let passes = 0;
  const copied = () => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > megabyte;
  const until = Date.now() + 20_000;
  while (!copied() && Date.now() < until) {
    checkpointer.committed(() => {
      passes += 1;
      // The first thread finds no database and ends; one is there before the next pass.
      if (passes === 2) fill();
      return 100 * megabyte;
    });
    await new Promise((next) => setTimeout(next, 20));
  }
  expect(copied()).toBe(true);
  expect(passes).toBeGreaterThan(1);
  // Told each time, so that SQLite copies by itself meanwhile.
  expect(failures).toBeGreaterThan(0);
  await checkpointer.close();
  (db as DatabaseSync | null)?.close();
  rmSync(folder, { recursive: true, force: true });
});
