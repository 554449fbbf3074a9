import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { failsForGood, logFlusher } from './flush.ts';
import { grouped } from './group.ts';
import { openSqlite } from './sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'lixue-flush-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** A database whose disk is held by hand: a flush ends when the test says so. */
async function openHeld() {
  files += 1;
  const flushes: { done(): void; fail(error: Error): void }[] = [];
  let open = false;
  const file = openSqlite(join(folder, `${files}.db`), 40, () => ({
    flush: () =>
      open ? Promise.resolve() : new Promise<void>((done, fail) => flushes.push({ done: () => done(), fail })),
    size: () => 0,
    close: () => undefined,
  }));
  open = true;
  const db = new Kysely<{ t: { x: number } }>({ dialect: file.dialect });
  await sql`create table t (x integer)`.execute(db);
  open = false;
  /** Whether a promise has settled by the time the event loop has nothing else to do. */
  const settles = async (promise: Promise<unknown>) => {
    let settled = false;
    promise.then(
      () => {
        settled = true;
      },
      () => {
        settled = true;
      },
    );
    for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setImmediate(next));
    return settled;
  };
  return { db, file, flushes, settles };
}

describe('a commit is answered when the log is on disk, not before', () => {
  it('a transaction', async () => {
    const { db, flushes, settles } = await openHeld();
    const done = db.transaction().execute(async (trx) => {
      await trx.insertInto('t').values({ x: 1 }).execute();
      await trx.insertInto('t').values({ x: 2 }).execute();
      expect(flushes).toHaveLength(0);
    });
    expect(await settles(done)).toBe(false);
    expect(flushes).toHaveLength(1);
    flushes[0]?.done();
    await done;
  });

  it('a single statement, with and without rows coming back', async () => {
    const { db, flushes, settles } = await openHeld();
    for (const write of [
      () => db.insertInto('t').values({ x: 1 }).execute(),
      () => db.insertInto('t').values({ x: 1 }).returning('x').execute(),
      () => db.updateTable('t').set({ x: 2 }).execute(),
      () => sql`with n as (select 3 as x) insert into t select x from n`.execute(db),
      () => db.deleteFrom('t').execute(),
    ]) {
      const before = flushes.length;
      const done = write();
      expect(await settles(done)).toBe(false);
      expect(flushes).toHaveLength(before + 1);
      flushes.at(-1)?.done();
      await done;
    }
  });

  it('reading and rolling back wait for no disk', async () => {
    const { db, flushes } = await openHeld();
    expect(await db.selectFrom('t').selectAll().execute()).toEqual([]);
    const failing = db.transaction().execute(async (trx) => {
      await trx.insertInto('t').values({ x: 1 }).execute();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(flushes).toHaveLength(0);
  });

  it('the next transaction begins while the disk is at work, and is answered after its own flush', async () => {
    const { db, flushes, settles } = await openHeld();
    const first = db.insertInto('t').values({ x: 1 }).execute();
    await settles(first);
    const found: unknown[] = [];
    const second = db.transaction().execute(async (trx) => {
      found.push(...(await trx.selectFrom('t').select('x').execute()));
      await trx.insertInto('t').values({ x: 2 }).execute();
    });
    expect(await settles(second)).toBe(false);
    expect(found).toEqual([{ x: 1 }]);
    expect(flushes).toHaveLength(2);
    flushes[0]?.done();
    expect([await settles(first), await settles(second)]).toEqual([true, false]);
    flushes[1]?.done();
    await second;
  });

  it('a transaction that wrote nothing waits for the disk to have what it may have read', async () => {
    const { db, flushes, settles } = await openHeld();
    const write = db.insertInto('t').values({ x: 1 }).execute();
    await settles(write);
    const reads = [
      db.transaction().execute((trx) => trx.selectFrom('t').select('x').execute()),
      db.selectFrom('t').select('x').execute(),
    ];
    for (const read of reads) expect(await settles(read)).toBe(false);
    expect(flushes).toHaveLength(1);
    flushes[0]?.done();
    expect(await Promise.all(reads)).toEqual([[{ x: 1 }], [{ x: 1 }]]);
    await write;
  });

  it('a single read waits for no transaction, and sees nothing of it before its commit', async () => {
    const { db, flushes, settles } = await openHeld();
    let commit: () => void = () => undefined;
    const writing = db.transaction().execute(async (trx) => {
      await trx.insertInto('t').values({ x: 1 }).execute();
      await new Promise<void>((go) => {
        commit = go;
      });
    });
    await settles(writing);
    expect(await db.selectFrom('t').select('x').execute()).toEqual([]);
    const waiting = db.insertInto('t').values({ x: 2 }).execute();
    expect(await settles(waiting)).toBe(false);
    expect(flushes).toHaveLength(0);
    commit();
    await settles(waiting);
    for (const { done } of flushes) done();
    await Promise.all([writing, waiting]);
    expect(await db.selectFrom('t').select('x').orderBy('x').execute()).toEqual([{ x: 1 }, { x: 2 }]);
  });

  it('a disk that fails fails the write', async () => {
    const { db, flushes, settles } = await openHeld();
    const done = db.insertInto('t').values({ x: 1 }).execute();
    await settles(done);
    flushes[0]?.fail(new Error('EIO'));
    await expect(done).rejects.toThrow('EIO');
  });
});

it('the log of a true file is flushed, and calls during a flush share the next one', async () => {
  const path = join(folder, 'log');
  writeFileSync(path, 'x');
  const flusher = logFlusher(path);
  const first = flusher.flush();
  const second = flusher.flush();
  const third = flusher.flush();
  expect(second).not.toBe(first);
  expect(third).toBe(second);
  await Promise.all([first, second]);
  await flusher.flush();
  flusher.close();
});

describe('a flush that failed once', () => {
  const LOST = 'the database log could not be brought to the disk (EIO: i/o error)';

  it('fails for good: a later one that the system calls good proves nothing', async () => {
    const path = join(folder, 'late');
    const told: Error[] = [];
    const flusher = failsForGood(logFlusher(path), (error) => told.push(error));
    const first = flusher.flush();
    const second = flusher.flush();
    await expect(first).rejects.toThrow('ENOENT');
    await expect(second).rejects.toThrow('ENOENT');
    writeFileSync(path, 'x');
    await expect(flusher.flush()).rejects.toBe(told[0]);
    expect(told).toHaveLength(1);
    flusher.close();
  });

  it('a flush that was under way meanwhile counts for nothing either', async () => {
    const flushes: { done(): void; fail(error: Error): void }[] = [];
    const held = () => new Promise<void>((done, fail) => flushes.push({ done, fail }));
    const flusher = failsForGood({ flush: held, size: () => 0, close: () => undefined }, () => undefined);
    const both = Promise.allSettled([flusher.flush(), flusher.flush()]);
    flushes[1]?.fail(new Error('EIO: i/o error'));
    await new Promise((next) => setImmediate(next));
    flushes[0]?.done();
    expect((await both).map((one) => one.status === 'rejected' && one.reason.message)).toEqual([LOST, LOST]);
  });

  it('nothing is acknowledged any more, however it is tried, and the process is told to end', async () => {
    let fails = false;
    const told: Error[] = [];
    const once = async () => {
      if (!fails) return;
      fails = false;
      throw new Error('EIO: i/o error');
    };
    const path = join(folder, 'lost.db');
    const file = openSqlite(
      path,
      40,
      () => ({ flush: once, size: () => 0, close: () => undefined }),
      (error) => told.push(error),
    );
    const query = new Kysely<{ t: { k: number } }>({ dialect: file.dialect });
    await sql`create table t (k integer primary key)`.execute(query);
    // As saves do: what is kept already needs no writing, so the second try has nothing to write.
    const save = grouped<number, 'written' | 'known'>(
      { kind: 'sqlite', transaction: (work: never) => query.transaction().execute(work) } as never,
      (key) => key,
      async (trx, keys) => {
        const outputs: ('written' | 'known')[] = [];
        for (const k of keys) {
          const known = await (trx as unknown as typeof query).selectFrom('t').select('k').where('k', '=', k).execute();
          if (known.length === 0) await (trx as unknown as typeof query).insertInto('t').values({ k }).execute();
          outputs.push(known.length === 0 ? 'written' : 'known');
        }
        return outputs;
      },
    );
    expect(await save(0)).toBe('written');
    fails = true;
    const tries = await Promise.allSettled([save(1), save(2), query.insertInto('t').values({ k: 9 }).execute()]);
    tries.push(...(await Promise.allSettled([save(1), save(3)])));
    expect(tries.map((one) => one.status === 'rejected' && one.reason.message)).toEqual(tries.map(() => LOST));
    expect(told).toHaveLength(1);
    await file.close();
    await query.destroy();
  });
});
