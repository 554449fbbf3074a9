import { randomBytes } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { grouped, HELD } from './group.ts';
import { type Db, openDb } from './open.ts';
import type { PostgresLimits } from './postgres.ts';
import { networkTo } from './tcp-proxy.test-kit.ts';
import { troubleOf } from './trouble.ts';

const url = process.env.TEST_DATABASE_URL ?? '';

/** As a server has them, a quarter as long: shorter ones would be met by a database that is only busy. */
const limits: PostgresLimits = { connect: 1500, silent: 1500, statement: 1200, lock: 500, idleInTransaction: 1000 };
/** Far less than the system takes to notice a dead connection (a quarter of an hour), and enough for a slow machine. */
const SOON = 15_000;

describe.skipIf(url === '')('a PostgreSQL that is lost', () => {
  const schema = `test_${randomBytes(6).toString('hex')}`;
  /** Connections of the server are found by it. */
  const name = `lixue-${schema}`;
  let network: Awaited<ReturnType<typeof networkTo>>;
  /** By way of the network that fails. */
  let db: Db;
  /** By another. */
  let other: Db;

  beforeAll(async () => {
    network = await networkTo(url);
    const address = new URL(network.url);
    address.searchParams.set('application_name', name);
    db = await openDb({ kind: 'postgres', url: address.href, schema, limits, patience: 5000 }, 1);
    other = await openDb({ kind: 'postgres', url, schema }, 1);
  });
  afterEach(() => network.heal());
  afterAll(async () => {
    await sql`drop schema ${sql.id(schema)} cascade`.execute(other.query);
    await db.close();
    await other.close();
    await network.close();
  });

  const write = (key: string) => (trx: Db['query']) =>
    trx
      .insertInto('settings')
      .values({ key, value: '1' })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: sql`settings.value || '+'` as never }))
      .execute();
  const stored = async (key: string) =>
    (await other.query.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst())?.value;
  /** Opens so many connections, which then rest. */
  const fill = (count: number) =>
    Promise.all(Array.from({ length: count }, () => db.query.executeQuery(CompiledQuery.raw('select pg_sleep(0.02)'))));
  const took = async (work: Promise<unknown>) => {
    const began = performance.now();
    await work;
    return performance.now() - began;
  };

  it('a dead connection is noticed, and what was asked is done on another one', async () => {
    await fill(4);
    network.killSilently();
    const times = await Promise.all([
      took(db.transaction(write('dead'))),
      took(Promise.resolve(db.look('select 1 as one', []))),
      took(db.query.selectFrom('settings').selectAll().execute()),
    ]);
    expect(Math.max(...times)).toBeLessThan(SOON);
    expect(await stored('dead')).toBe('1');
    // Those at rest were given up together with the first: the next question does not have to find each out.
    const before = network.taken();
    const next = await took(Promise.all([1, 2, 3, 4].map((at) => db.transaction(write(`next-${at}`)))));
    expect(next).toBeLessThan(limits.silent);
    process.stdout.write(
      `dead connection: answered after ${times.map(Math.round).join(', ')} ms (limit of silence ${limits.silent} ms), next ${Math.round(next)} ms, ${network.taken() - before} new connections\n`,
    );
  });

  it('with nobody there every wait ends in a known trouble, and all is well when it is there again', async () => {
    await fill(2);
    network.swallowAll();
    const began = performance.now();
    const outcomes = await Promise.allSettled([
      db.transaction(write('swallowed')),
      db.look('select 1 as one', []),
      ...Array.from({ length: 25 }, () => db.query.selectFrom('settings').selectAll().execute()),
    ]);
    expect(performance.now() - began).toBeLessThan(SOON);
    for (const outcome of outcomes) {
      expect(outcome.status).toBe('rejected');
      expect(['cut', 'away']).toContain(troubleOf(outcome.status === 'rejected' ? outcome.reason : null));
    }
    network.heal();
    const again = await took(db.transaction(write('swallowed')));
    expect(again).toBeLessThan(SOON);
    expect(await stored('swallowed')).toBe('1');
    process.stdout.write(
      `away: all told within ${Math.round(performance.now() - began)} ms, back after ${Math.round(again)} ms\n`,
    );
  });

  it('connections that are cut again and again lose no save and fail none', async () => {
    const written = new Map<number, number>();
    const put = grouped<{ record: number; seq: number }, 'done'>(
      db,
      ({ record }) => record,
      async (trx, items) => {
        const rows = items.map(({ record, seq }) => ({ key: `cut-${record}`, value: String(seq) }));
        for (const row of rows) {
          await trx
            .insertInto('settings')
            .values(row)
            .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: row.value }))
            .execute();
        }
        return items.map(() => 'done');
      },
    );
    let saved = 0;
    let cuts = 0;
    let saving = true;
    const savers = Array.from({ length: 20 }, async (_, record) => {
      for (let seq = 1; saving || seq < 5; seq += 1) {
        await put({ record, seq });
        written.set(record, seq);
        saved += 1;
      }
    });
    const ended = Promise.all(savers);
    // Said by the wait for it below.
    ended.catch(() => undefined);
    let before = 0;
    try {
      while (cuts < 6) {
        // Between two cuts saving goes on.
        await expect.poll(() => saved, { interval: 1, timeout: SOON }).toBeGreaterThan(before + 40);
        const { rows } = await sql<{ ended: boolean }>`select pg_terminate_backend(pid) as ended from pg_stat_activity
        where application_name = ${name} and state <> 'idle'`.execute(other.query);
        if (rows.length > 0) {
          cuts += 1;
          before = saved;
          if (cuts === 4) network.cut();
        }
      }
    } finally {
      // Else they would go on under the next test.
      saving = false;
      await ended;
    }
    for (const [record, seq] of written) expect(await stored(`cut-${record}`)).toBe(String(seq));
  }, 60_000);

  it('a commit whose answer was lost is done again only where twice is the same as once', async () => {
    network.cutAfter('commit');
    await db.transaction(write('twice'), { idempotent: () => true });
    // It had been committed: the second time met the first.
    expect(await stored('twice')).toBe('1+');

    network.cutAfter('commit');
    const once = await db.transaction(write('once')).catch((error: unknown) => troubleOf(error));
    expect(once).toBe('unsure');
    await expect.poll(() => stored('once')).toBe('1');
  });

  it('a connection that is lost before the commit takes nothing with it, whatever the work', async () => {
    network.cutAfter('lost-before');
    await db.transaction(write('lost-before'));
    expect(await stored('lost-before')).toBe('1');
  });

  it('who freezes in a transaction lets go of what he holds', async () => {
    await other.transaction(write('frozen'));
    let freeze: () => void = () => undefined;
    const frozen = db
      .transaction(
        async (trx) => {
          await write('frozen')(trx);
          freeze();
          // As long as the process stands still: the database does not hear from it.
          await expect
            .poll(() => other.query.selectFrom('settings').select('key').where('key', '=', 'thawed').execute(), {
              timeout: SOON,
            })
            .toHaveLength(1);
        },
        { patience: 0 },
      )
      .catch(() => undefined);
    await new Promise<void>((begun) => {
      freeze = begun;
    });
    const waited = await took(other.transaction(write('frozen')));
    process.stdout.write(
      `frozen neighbour: its row was free after ${Math.round(waited)} ms (limit ${limits.idleInTransaction} ms)\n`,
    );
    expect(waited).toBeLessThan(SOON);
    await other.transaction(write('thawed'));
    await frozen;
  });

  it('a group goes on without the item that somebody holds', async () => {
    const put = grouped<number, string>(
      db,
      (item) => item,
      async (trx, items) => {
        const free = await trx
          .selectFrom('settings')
          .select('key')
          .where(
            'key',
            'in',
            items.map((item) => `held-${item}`),
          )
          .forUpdate()
          .skipLocked()
          .execute();
        return items.map((item) => (free.some(({ key }) => key === `held-${item}`) ? 'done' : HELD));
      },
      { heldFor: 1000 },
    );
    for (let item = 0; item < 200; item += 1)
      await other.query
        .insertInto('settings')
        .values({ key: `held-${item}`, value: '1' })
        .execute();
    let letGo: () => void = () => undefined;
    const released = new Promise<void>((go) => {
      letGo = go;
    });
    let held: () => void = () => undefined;
    const isHeld = new Promise<void>((go) => {
      held = go;
    });
    const holder = other.transaction(async (trx) => {
      await trx.selectFrom('settings').select('key').where('key', '=', 'held-7').forUpdate().execute();
      held();
      await released;
    });
    await isHeld;
    const seventh = put(7);
    const strangers = Promise.all(
      Array.from({ length: 200 }, (_, item) => item)
        .filter((item) => item !== 7)
        .map(put),
    );
    const waited = await took(strangers);
    process.stdout.write(`held record: 199 strangers were answered after ${Math.round(waited)} ms\n`);
    expect(await Promise.race([seventh, 'waits'])).toBe('waits');
    // He is told in the end, and so is whoever comes behind him.
    await expect(Promise.all([seventh])).rejects.toMatchObject({ trouble: 'held' });
    const eighth = put(7);
    letGo();
    await holder;
    expect(await eighth).toBe('done');
  });

  it('a slow statement is ended by the database, and costs no connection', async () => {
    const slow = db.query.executeQuery(CompiledQuery.raw('select pg_sleep(30)'));
    const reason = await slow.catch((error: unknown) => troubleOf(error));
    expect(reason).toBe('slow');
    const long = db.transaction((trx) => trx.executeQuery(CompiledQuery.raw('select pg_sleep(1.5), 1 as one')), {
      long: true,
    });
    expect((await long).rows).toMatchObject([{ one: 1 }]);
  });
});
