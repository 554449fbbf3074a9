import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '#server/test-kit.ts';
import { grouped } from './group.ts';
import { type Db, type DbTarget, NotDurable, openDb } from './open.ts';
import { Prepared } from './prepared.ts';

const folder = mkdtempSync(join(tmpdir(), 'lixue-db-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const url = process.env.TEST_DATABASE_URL ?? '';

const fresh = (kind: 'sqlite' | 'postgres'): DbTarget =>
  kind === 'sqlite'
    ? { kind, path: join(folder, `${randomBytes(6).toString('hex')}.db`) }
    : { kind, url, schema: `test_${randomBytes(6).toString('hex')}` };

async function drop(db: Db, target: DbTarget): Promise<void> {
  if (target.kind === 'postgres' && target.schema) {
    await sql`drop schema ${sql.id(target.schema)} cascade`.execute(db.query);
  }
  await db.close();
}

const setting = (db: Db, key: string) =>
  db.query.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst();

describe.each(databases)('opening $name', ({ kind }) => {
  it('migrates once, however many processes start at the same moment', async () => {
    const target = fresh(kind);
    const all = await Promise.all([1, 2, 3, 4].map(() => openDb(target, 1)));
    const names = await sql<{ name: string }>`select name from migrations order by name`.execute((all[0] as Db).query);
    expect(names.rows[0]?.name).toBe('001-foundation');
    expect(new Set(names.rows.map((row) => row.name)).size).toBe(names.rows.length);
    for (const db of all.slice(1)) await db.close();
    await drop(all[0] as Db, target);
  });

  it('keeps what is there when it opens again', async () => {
    const target = fresh(kind);
    const first = await openDb(target, 1);
    await first.query.insertInto('settings').values({ key: 'a', value: 'b' }).execute();
    await first.close();
    const second = await openDb(target, 2);
    expect(await setting(second, 'a')).toEqual({ value: 'b' });
    await drop(second, target);
  });

  it('rolls a failed transaction back whole', async () => {
    const target = fresh(kind);
    const db = await openDb(target, 1);
    const failing = db.transaction(async (trx) => {
      await trx.insertInto('settings').values({ key: 'half', value: 'x' }).execute();
      throw new Error('in the middle');
    });
    await expect(failing).rejects.toThrow('in the middle');
    expect(await setting(db, 'half')).toBeUndefined();
    await drop(db, target);
  });
});

describe('durability', () => {
  it('opens SQLite so that a commit is on disk: WAL, flushed by ourselves (flush.test.ts)', async () => {
    const db = await openDb(fresh('sqlite'), 1);
    const level = await sql<{ synchronous: number }>`pragma synchronous`.execute(db.query);
    const mode = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(db.query);
    expect([level.rows[0]?.synchronous, mode.rows[0]?.journal_mode]).toEqual([1, 'wal']);
    await db.close();
  });

  it('keeps SQLite’s files for the server’s account alone, also those that others could read before', async () => {
    const before = process.umask(0);
    try {
      const target = fresh('sqlite');
      const path = target.kind === 'sqlite' ? target.path : '';
      const modes = () => [path, `${path}-wal`, `${path}-shm`].map((file) => (statSync(file).mode & 0o777).toString(8));
      const first = await openDb(target, 1);
      expect(modes()).toEqual(['600', '600', '600']);
      for (const file of [path, `${path}-wal`, `${path}-shm`]) chmodSync(file, 0o644);
      const second = await openDb(target, 1);
      expect(modes()).toEqual(['600', '600', '600']);
      await second.close();
      await first.close();
    } finally {
      process.umask(before);
    }
  });

  it('refuses a SQLite database in memory unless a test asks for it by that very name', async () => {
    await expect(openDb({ kind: 'sqlite', path: 'file::memory:?cache=shared' }, 1)).rejects.toThrow(NotDurable);
  });

  it.runIf(url !== '')('refuses a PostgreSQL that may lose a commit', async () => {
    const weak = `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent('-c synchronous_commit=off')}`;
    await expect(openDb({ kind: 'postgres', url: weak }, 1)).rejects.toThrow(/synchronous_commit is off/);
  });
});

describe('another process that holds the SQLite write lock', () => {
  it('makes a transaction wait without stopping the event loop', async () => {
    const path = join(folder, 'busy.db');
    const db = await openDb({ kind: 'sqlite', path, busyMs: 10 }, 1);
    const other = new DatabaseSync(path);
    other.exec('begin immediate');
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
      if (turns === 20) other.exec('commit');
    }, 5);
    await db.transaction((trx) => trx.insertInto('settings').values({ key: 'late', value: 'y' }).execute());
    clearInterval(ticking);
    expect(turns).toBeGreaterThanOrEqual(20);
    expect(await setting(db, 'late')).toEqual({ value: 'y' });
    other.close();
    await db.close();
  });
});

describe.each(databases)('group commit on $name', ({ kind }) => {
  let db: Db;
  const target = fresh(kind);
  beforeAll(async () => {
    db = await openDb(target, 1);
  });
  afterAll(() => drop(db, target));

  it('writes what arrives together in few transactions and answers each with its own result', async () => {
    let groups = 0;
    const put = grouped<number, number>(
      db,
      (item) => item,
      async (trx, items) => {
        groups += 1;
        await trx
          .insertInto('settings')
          .values(items.map((item) => ({ key: `group-${item}`, value: String(item) })))
          .execute();
        return items.map((item) => item * 2);
      },
    );
    const outputs = await Promise.all(Array.from({ length: 300 }, (_, at) => put(at)));
    expect(outputs).toEqual(Array.from({ length: 300 }, (_, at) => at * 2));
    expect(groups).toBeLessThanOrEqual(3);
    const { count } = await db.query
      .selectFrom('settings')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('key', 'like', 'group-%')
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(300);
  });

  it('answers only after the commit: a second connection sees what was acknowledged', async () => {
    const reader = await openDb(target, 1);
    const put = grouped<string, string>(
      db,
      () => 0,
      async (trx, items) => {
        for (const item of items) await trx.insertInto('settings').values({ key: item, value: item }).execute();
        return items;
      },
    );
    for (const key of ['ack-1', 'ack-2', 'ack-3']) {
      await put(key);
      expect(await setting(reader, key)).toEqual({ value: key });
    }
    await reader.close();
  });

  it('items that belong together are never overtaken by a later group; others need not wait', async () => {
    const began: string[] = [];
    const ended: string[] = [];
    const held = new Map<string, () => void>();
    const put = grouped<{ record: number; name: string }, string>(
      db,
      ({ record }) => record,
      async (_trx, items) => {
        const names = items.map(({ name }) => name);
        began.push(...names);
        if (names.includes('a1')) await new Promise<void>((go) => held.set('a1', go));
        ended.push(...names);
        return names;
      },
    );
    const first = put({ record: 1, name: 'a1' });
    while (!held.has('a1')) await new Promise((turn) => setTimeout(turn, 5));
    const later = [put({ record: 1, name: 'a2' }), put({ record: 2, name: 'b1' }), put({ record: 1, name: 'a3' })];
    await new Promise((turn) => setTimeout(turn, 50));
    expect(began).not.toContain('a2');
    if (kind === 'postgres') expect(ended).toEqual(['b1']);
    held.get('a1')?.();
    expect(await Promise.all([first, ...later])).toEqual(['a1', 'a2', 'b1', 'a3']);
    expect(ended.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
  });

  it('a statement whose columns have another type since is prepared anew', async () => {
    if (kind !== 'postgres') return;
    await sql`create table changing (id bigint, value integer)`.execute(db.query);
    await sql`insert into changing values (1, 7)`.execute(db.query);
    const all = new Prepared<{ value: unknown }>(
      db,
      () => db.query.selectFrom('changing' as never).selectAll() as never,
    );
    expect(await db.transaction((trx) => all.run(trx, []))).toEqual([{ id: 1, value: 7 }]);
    await sql`alter table changing alter column value type text`.execute(db.query);
    expect(await db.transaction((trx) => all.run(trx, []))).toEqual([{ id: 1, value: '7' }]);
  });

  it('a full disk is told as such, inside a transaction too', async () => {
    if (kind !== 'sqlite') return;
    await sql`pragma max_page_count = 100`.execute(db.query);
    const full = db.transaction(async (trx) => {
      for (let at = 0; at < 200; at += 1) {
        await trx
          .insertInto('settings')
          .values({ key: `full-${at}`, value: 'x'.repeat(4000) })
          .execute();
      }
    });
    await expect(full).rejects.toThrow('full');
    await sql`pragma max_page_count = 1000000`.execute(db.query);
    expect(await setting(db, 'full-0')).toBeUndefined();
  });

  it('lets one bad item fail alone', async () => {
    const put = grouped<string, string>(
      db,
      () => 0,
      async (trx, items) => {
        for (const item of items) {
          if (item === 'bad') throw new Error('this one is bad');
          await trx
            .insertInto('settings')
            .values({ key: `alone-${item}`, value: item })
            .execute();
        }
        return items;
      },
    );
    const results = await Promise.allSettled([put('x'), put('bad'), put('y')]);
    expect(results.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([await setting(db, 'alone-x'), await setting(db, 'alone-y')]).toEqual([{ value: 'x' }, { value: 'y' }]);
  });
});
