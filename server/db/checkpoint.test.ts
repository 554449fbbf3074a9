import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

it('a thread that fails is replaced, and hurts nobody', async () => {
  const checkpointer = logCheckpointer(join(tmpdir(), 'no-such-folder', 'none.db'), () => {
    throw new Error('there is nothing to finish');
  });
  checkpointer.committed(() => 100 * 1024 * 1024);
  await checkpointer.close();
});
