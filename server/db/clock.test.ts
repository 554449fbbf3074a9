import { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOnce } from '#server/chores.ts';
import { HOUR, SWEEP, startScene } from '#server/exam/scene.test-kit.ts';
import { databases, START, type TestApp, testApp } from '#server/test-kit.ts';
import { GOOD_TRACK, newPhone } from '#server/user/sign-in.test-kit.ts';
import { solve } from '#server/user/work.test-kit.ts';
import { type SharedClock, sharedClock } from './clock.ts';
import type { Tables } from './schema.ts';

const SAVE = 'POST /api/exam/save_question';
const START_EXAM = 'GET /app/exam/test_start';
const FORGET = 'forget expired sign-in data';
const SECOND = 1000;

/** A server on a machine and, with PostgreSQL, a database whose clocks are set by hand. */
interface ClockedServer {
  kit: TestApp;
  clock: SharedClock;
  /** Milliseconds by which the clock that tells the time, and this machine's own wall clock, are beside the right time. */
  off: { told: number; own: number };
  /** Lets time pass, with a look at the clock each second, at the end alone, or never. */
  pass(milliseconds: number, looks?: 'each second' | 'at the end' | 'never'): Promise<void>;
  /** The machine sleeps: time passes, its monotonic clock stands. */
  sleep(milliseconds: number): void;
  close(): Promise<void>;
}

/**
 * On PostgreSQL the server's connection finds a `clock_timestamp()` of the test before the database's own: a row that the
 * test writes.
 */
async function clockedServer(kind: 'sqlite' | 'postgres'): Promise<ClockedServer> {
  const off = { told: 0, own: 0 };
  let passed = 0;
  let slept = 0;
  const right = () => START + passed + slept;
  const clocks = {
    wall: () => right() + (kind === 'sqlite' ? off.told : off.own),
    monotonic: () => passed,
    uptime: () => passed + slept,
  };
  const made: { clock?: SharedClock; connection?: Kysely<Tables> } = {};
  let release: () => void = () => undefined;
  let released: Promise<unknown> = Promise.resolve();
  const setDatabase = async () => {
    if (!made.connection) return;
    await sql`update test_clock set at = ${Math.round(right() + off.told)}`.execute(made.connection);
  };
  const kit = await testApp(kind, true, async (db) => {
    if (kind === 'postgres') {
      const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db.query);
      const schema = sql.id(rows[0]?.name ?? '');
      await sql`create table test_clock (at bigint)`.execute(db.query);
      await sql`insert into test_clock values (${START})`.execute(db.query);
      await sql`create function ${schema}.clock_timestamp() returns timestamptz language sql as
        'select to_timestamp(at / 1000.0) from test_clock'`.execute(db.query);
      await new Promise<void>((ready) => {
        released = db.query.connection().execute(async (connection) => {
          await sql`set search_path to ${schema}, pg_catalog`.execute(connection);
          made.connection = connection;
          ready();
          await new Promise<void>((done) => {
            release = () => done();
          });
          await sql`set search_path to ${schema}`.execute(connection);
        });
      });
    }
    const query = made.connection ?? db.query;
    const shared = await sharedClock({ kind, query }, { warn: () => undefined }, clocks);
    made.clock = { ...shared, sureTime: () => setDatabase().then(() => shared.sureTime(query)) };
    return made.clock;
  });
  const { clock } = made;
  if (!clock) throw new Error('no clock was made');
  const look = async () => {
    await setDatabase();
    for (const chore of clock.chores) await runOnce(chore, async () => clock.now());
  };
  const pass: ClockedServer['pass'] = async (milliseconds, looks = 'each second') => {
    const end = passed + milliseconds;
    while (looks === 'each second' && passed + SECOND < end) {
      passed += SECOND;
      await look();
    }
    passed = end;
    if (looks !== 'never') await look();
  };
  await pass(31 * SECOND);
  return {
    kit,
    clock,
    off,
    pass,
    sleep: (milliseconds) => {
      slept += milliseconds;
    },
    close: async () => {
      release();
      await released;
      await kit.close();
    },
  };
}

describe.each(databases)('the clock on $name', ({ kind }) => {
  let server: ClockedServer;
  beforeAll(async () => {
    server = await clockedServer(kind);
  });
  afterAll(() => server.close());

  const closedOf = async (recordId: number) => {
    const row = await server.kit.db.query
      .selectFrom('exam_records')
      .select('closed')
      .where('id', '=', recordId)
      .executeTakeFirstOrThrow();
    return row.closed;
  };
  const tickets = () => server.kit.db.query.selectFrom('captcha_tickets').selectAll().execute();
  /** Waits until the clock is believed again, wherever it stands now. */
  const settle = async () => {
    server.off.told = 0;
    server.off.own = 0;
    await server.pass(40 * SECOND);
    expect(await server.clock.sureTime(server.kit.db.query)).not.toBeNull();
  };

  it('an hour forward for 2.5 s and back closes nothing, deletes nothing, refuses no save', async () => {
    await settle();
    const { kit, off, pass } = server;
    const { as, save, recordId, examId, windowId } = await startScene(kit);
    const { challengeId, work } = await kit.ok('GET /api/captcha/slider', { action: 'login', phone: newPhone() });
    await pass(SECOND);
    await kit.ok('POST /api/captcha/slider', { challengeId, track: GOOD_TRACK, work: solve(work) });
    const before = (await tickets()).length;
    expect(before).toBeGreaterThan(0);
    off.told = off.own = HOUR;
    for (let half = 0; half < 5; half += 1) {
      await pass(500);
      await kit.chore(SWEEP);
      await kit.chore(FORGET);
      expect(await kit.ok(SAVE, save(0, 'A', half + 1), { as })).toMatchObject({ stale: false });
      expect(await kit.ok(START_EXAM, { examId, windowId }, { as })).toMatchObject({ recordId, resumed: true });
    }
    off.told = off.own = 0;
    await pass(40 * SECOND);
    await kit.chore(SWEEP);
    await kit.chore(FORGET);
    expect(await closedOf(recordId)).toBeNull();
    expect(await tickets()).toHaveLength(before);
  });

  it('a start closes no record that seems over while the clock is in doubt: it is resumed, and closed when it is sure', async () => {
    await settle();
    const { kit, off, pass } = server;
    const { as, recordId, examId, windowId } = await startScene(kit);
    off.told = off.own = HOUR;
    await pass(HOUR + 13 * SECOND, 'at the end');
    expect(await kit.ok(START_EXAM, { examId, windowId }, { as })).toMatchObject({ recordId, resumed: true });
    await kit.chore(SWEEP);
    expect(await closedOf(recordId)).toBeNull();
    off.told = off.own = 0;
    await pass(SECOND);
    expect(await kit.ok(START_EXAM, { examId, windowId }, { as })).toMatchObject({ resumed: false });
    expect(await closedOf(recordId)).toBe('unanswered');
  });

  it('a step that has stood is adopted: what is over by then is closed, and nothing before', async () => {
    await settle();
    const { kit, clock, off, pass } = server;
    const { recordId } = await startScene(kit);
    const before = clock.now();
    off.told = off.own = 2 * HOUR;
    await pass(29 * SECOND);
    await kit.chore(SWEEP);
    expect(await closedOf(recordId)).toBeNull();
    await pass(5 * SECOND);
    expect(clock.now()).toBe(before + 34 * SECOND + 2 * HOUR);
    await kit.chore(SWEEP);
    expect(await closedOf(recordId)).toBe('unanswered');
  });

  it('an hour back gives nobody an hour: not while it is in doubt', async () => {
    await settle();
    const { kit, off, pass } = server;
    const { as, recordId } = await startScene(kit);
    const left = () => kit.ok('GET /api/exam/cache', { recordId }, { as });
    await pass(5 * 60 * SECOND, 'at the end');
    off.told = off.own = -HOUR;
    await pass(20 * SECOND);
    expect((await left()).remaining).toBe(HOUR - 320 * SECOND);
    off.told = off.own = 0;
    await pass(20 * SECOND);
    expect((await left()).remaining).toBe(HOUR - 340 * SECOND);
    await kit.chore(SWEEP);
    expect(await closedOf(recordId)).toBeNull();
  });

  it.runIf(kind === 'sqlite')('an hour back gives nobody an hour: not when it stays', async () => {
    await settle();
    const { kit, clock, off, pass } = server;
    const { as, recordId } = await startScene(kit);
    const begun = clock.now();
    const left = () => kit.ok('GET /api/exam/cache', { recordId }, { as });
    off.told = off.own = -HOUR;
    await pass(40 * SECOND);
    expect(clock.now()).toBe(begun + 40 * SECOND - HOUR);
    expect((await left()).remaining).toBe(HOUR - 40 * SECOND);
    const later = await startScene(kit);
    expect((await kit.ok('GET /api/exam/cache', { recordId: later.recordId }, { as: later.as })).remaining).toBe(HOUR);
    await pass(HOUR - 40 * SECOND + 13 * SECOND, 'at the end');
    await kit.chore(SWEEP);
    expect([await closedOf(recordId), await closedOf(later.recordId)]).toEqual(['unanswered', null]);
  });

  it.runIf(kind === 'sqlite')(
    'a start that is the first to see that the clock stays set back does not stand still',
    async () => {
      await settle();
      const { kit, clock, off, pass } = server;
      const { as, save, recordId, examId, windowId } = await startScene(kit);
      await pass(HOUR + 13 * SECOND, 'at the end');
      const later = await startScene(kit);
      const begun = clock.now();
      off.told = off.own = -HOUR;
      await pass(29 * SECOND);
      await pass(2 * SECOND, 'never');
      // Its record is over by the time that was, so it asks in its transaction whether that is sure.
      expect(await kit.ok(START_EXAM, { examId, windowId }, { as })).toMatchObject({ recordId, resumed: true });
      await pass(SECOND);
      expect(clock.now()).toBe(begun + 32 * SECOND - HOUR);
      expect(await clock.sureTime(kit.db.query)).toBe(clock.now());
      const left = await kit.ok('GET /api/exam/cache', { recordId: later.recordId }, { as: later.as });
      expect(left.remaining).toBe(HOUR - 32 * SECOND);
      expect(await kit.refused(SAVE, save(0, 'A'), { as })).toBe('tooLate');
    },
  );

  it.runIf(kind === 'sqlite')(
    'what a clock set back changes is done later where the database takes nothing now',
    async () => {
      await settle();
      const { kit, clock, off, pass } = server;
      const { as, recordId } = await startScene(kit);
      const { file } = await sql<{ file: string }>`pragma database_list`
        .execute(kit.db.query)
        .then(({ rows }) => rows[0] ?? { file: '' });
      const importing = new DatabaseSync(file);
      importing.exec('begin immediate');
      off.told = off.own = -HOUR;
      await expect(pass(40 * SECOND)).rejects.toThrow('locked');
      expect(await clock.sureTime(kit.db.query)).toBeNull();
      importing.exec('rollback');
      importing.close();
      await pass(40 * SECOND);
      expect(await clock.sureTime(kit.db.query)).toBe(clock.now());
      const { remaining } = await kit.ok('GET /api/exam/cache', { recordId }, { as });
      expect(remaining).toBeGreaterThan(HOUR - 90 * SECOND);
      expect(remaining).toBeLessThan(HOUR - 40 * SECOND);
    },
  );

  it.runIf(kind === 'sqlite')('set back twice, it keeps the time of who began in between', async () => {
    const { kit, off, pass, close } = await clockedServer(kind);
    off.told = off.own = -HOUR;
    await pass(40 * SECOND);
    // By the clock as it is now this is before the server began to run.
    const { as, recordId } = await startScene(kit);
    off.told = off.own = -2 * HOUR;
    await pass(40 * SECOND);
    const { remaining } = await kit.ok('GET /api/exam/cache', { recordId }, { as });
    expect(remaining).toBeGreaterThan(HOUR - 50 * SECOND);
    expect(remaining).toBeLessThanOrEqual(HOUR);
    await close();
  });

  it('a drift is followed, and the time stays sure and never goes back', async () => {
    await settle();
    const { kit, clock, off, pass } = server;
    let last = 0;
    for (let minute = 0; minute < 10; minute += 1) {
      // 40 parts in a million, as clocks drift.
      off.told -= 2.4;
      off.own = off.told;
      await pass(60 * SECOND);
      const now = clock.now();
      expect(now).toBeGreaterThanOrEqual(last);
      last = now;
      expect(await clock.sureTime(kit.db.query)).not.toBeNull();
    }
    const before = clock.now();
    off.told = 200;
    await pass(10 * SECOND);
    await clock.sureTime(kit.db.query);
    await pass(60 * SECOND);
    expect(Math.abs(clock.now() - before - 70 * SECOND - 224)).toBeLessThan(kind === 'sqlite' ? 5 : 150);
  });

  it('a machine that slept has the right time when it wakes', async () => {
    await settle();
    const { kit, clock, pass, sleep } = server;
    const { recordId } = await startScene(kit);
    const before = clock.now();
    sleep(2 * HOUR);
    await pass(SECOND);
    // Beside what the drift of another test left over.
    expect(Math.abs(clock.now() - before - 2 * HOUR - SECOND)).toBeLessThan(300);
    await kit.chore(SWEEP);
    expect(await closedOf(recordId)).toBe('unanswered');
  });

  it.runIf(kind === 'postgres')(
    'a server whose own clock is wrong serves the right time and closes nothing',
    async () => {
      await settle();
      const { kit, clock, off, pass } = server;
      const { as, save, recordId } = await startScene(kit);
      const before = clock.now();
      for (const own of [2 * HOUR, -HOUR, 0]) {
        off.own = own;
        await pass(SECOND);
        // The database was asked at once, and says that nothing is the matter.
        expect(await clock.sureTime(kit.db.query)).toBe(clock.now());
        await kit.chore(SWEEP);
        expect(await kit.ok(SAVE, save(0, 'A'), { as })).toMatchObject({ stale: false });
      }
      expect(clock.now()).toBe(before + 3 * SECOND);
      expect(await closedOf(recordId)).toBeNull();
    },
  );

  it.runIf(kind === 'postgres')('a server that is ahead of the database, whyever, closes nothing', async () => {
    await settle();
    const { kit, off, pass } = server;
    const { recordId } = await startScene(kit);
    await pass(HOUR - 10 * SECOND, 'at the end');
    // By its own count the paper is to be closed since half a second, by the database's clock not yet.
    off.told = -900;
    await pass(22.5 * SECOND, 'at the end');
    await kit.chore(SWEEP);
    expect(await closedOf(recordId)).toBeNull();
    off.told = 0;
    await pass(SECOND);
    await kit.chore(SWEEP);
    expect(await closedOf(recordId)).toBe('unanswered');
  });

  it('the first seconds of a server close nothing either', async () => {
    const fresh = await sharedClock({ kind: 'sqlite', query: server.kit.db.query }, { warn: () => undefined });
    expect(await fresh.sureTime(server.kit.db.query)).toBeNull();
  });
});
