import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HEARTBEAT_EVERY, LEASE } from '#rules/job/retry.ts';
import { freshDatabase } from '#server/db/fresh-database.test-kit.ts';
import { type Db, openDb } from '#server/db/open.ts';
import { DatabaseTrouble } from '#server/db/trouble.ts';
import { FilesAway } from '#server/files.ts';
import { databases } from '#server/test-kit.ts';
import { addJob, cancelJob, type NewJob, readJobs } from './store.ts';
import {
  type JobKind,
  JobRefused,
  JobTrouble,
  JobWaits,
  type JobWorker,
  jobWorker,
  type RunningJob,
} from './worker.ts';
import { startHolder } from './worker-process.test-kit.ts';

const folder = mkdtempSync(join(tmpdir(), 'lixue-jobs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const gate = () => Promise.withResolvers<void>();
const AT_ONCE = 5;

describe.each(databases)('jobs on $name', ({ kind: database }) => {
  let made: Awaited<ReturnType<typeof freshDatabase>>;
  let db: Db;
  let now = 1_000_000;
  const workers: JobWorker[] = [];
  const stored: string[] = [];
  beforeAll(async () => {
    made = await freshDatabase(database, join(folder, 'jobs.db'));
    db = await openDb(made.target, now);
  });
  beforeEach(async () => {
    await Promise.all(workers.splice(0).map((each) => each.stop()));
    await db.query.deleteFrom('jobs').execute();
    stored.length = 0;
  });
  afterAll(async () => {
    await Promise.all(workers.map((each) => each.stop()));
    await db.close();
    await made.remove();
  });

  type Work = (job: RunningJob, name: string) => Promise<unknown>;
  function worker(work: Work, options: { slots?: number; heartbeatEvery?: number } = {}) {
    const kind: JobKind<{ name: string }> = {
      kind: 'test',
      mostAttempts: 3,
      run: async ({ name }, job) => {
        await work(job, name);
        return async () => void stored.push(name);
      },
      givenUp: async (_trx, { name }, reason) => void stored.push(`${name}: ${reason}`),
    };
    const made = jobWorker(
      { db, clock: () => now, log: pino({ level: 'silent' }), random: randomBytes },
      [kind as JobKind],
      { slots: AT_ONCE, heartbeatEvery: 2, ...options },
    );
    workers.push(made);
    const [look, takeUp, forget] = made.chores;
    return {
      ...made,
      look: async () => look?.run(now),
      takeUp: async () => takeUp?.run(now),
      forget: async () => forget?.run(now),
      /** Does all that is due. */
      async all() {
        await look?.run(now);
        await made.idle();
      },
    };
  }
  const add = (name: string, more: Partial<NewJob> = {}) =>
    db.transaction((trx) => addJob(trx, { kind: 'test', key: name, input: { name }, ...more }, now));
  const job = async (id: number) => (await readJobs(db.query, 100)).find((row) => row.id === id);

  it('are done once, the more urgent and the older first, so many at a time', async () => {
    const begun: string[] = [];
    const w = worker(async (_job, name) => begun.push(name), { slots: 1 });
    await add('a');
    await add('b', { priority: 1 });
    const id = await add('c');
    expect(await add('c')).toBe(id);
    for (let times = 0; times < 4; times += 1) await w.all();
    expect(begun).toEqual(['b', 'a', 'c']);
    expect(stored).toEqual(begun);
    expect(await job(id)).toMatchObject({ state: 'done', percent: 100, attempts: 1, reason: '', owner: null });
  });

  it('of one key run one after the other, in any number of processes; asked for while one runs, it runs once more', async () => {
    const open = gate();
    let running = 0;
    let most = 0;
    const work: Work = async () => {
      running += 1;
      most = Math.max(most, running);
      await open.promise;
      running -= 1;
    };
    const [one, two] = [worker(work), worker(work)];
    await add('x', { key: 'same' });
    await one.look();
    await add('y', { key: 'same' });
    await add('z', { key: 'same' });
    await Promise.all([one.look(), two.look()]);
    open.resolve();
    await Promise.all([one.idle(), two.idle()]);
    await two.all();
    await one.all();
    expect([stored, most]).toEqual([['x', 'z'], 1]);
  });

  it('are claimed by one of many that look at once', async () => {
    const begun: string[] = [];
    const all = Array.from({ length: 4 }, () => worker(async (_job, name) => begun.push(name)));
    const names = Array.from({ length: 12 }, (_, at) => `n${at}`);
    for (const name of names) await add(name);
    for (let times = 0; times < 3; times += 1) await Promise.all(all.map((each) => each.all()));
    expect(begun.sort()).toEqual(names.sort());
  });

  it('that go wrong are tried again later, and fail for good with their reason', async () => {
    const w = worker(async () => {
      throw new JobTrouble('磁盘满了');
    });
    const id = await add('a');
    await w.all();
    expect(await job(id)).toMatchObject({ state: 'waiting', attempts: 1, reason: '磁盘满了', run_at: now + 10_000 });
    await w.all();
    expect(await job(id)).toMatchObject({ attempts: 1 });
    now += 10_000;
    await w.all();
    now += 40_000;
    await w.all();
    expect(await job(id)).toMatchObject({ state: 'failed', attempts: 3, reason: '磁盘满了', ended_at: now });
    expect(stored).toEqual(['a: 磁盘满了']);
  });

  it('that cannot be done fail at once; what nobody foresaw has a sentence too', async () => {
    const w = worker(async (_job, name) => {
      throw name === 'a' ? new JobRefused('不是视频') : new Error('SECRET /etc/passwd');
    });
    const [refused, odd] = [await add('a'), await add('b')];
    await w.all();
    expect(await job(refused)).toMatchObject({ state: 'failed', attempts: 1, reason: '不是视频' });
    expect(await job(odd)).toMatchObject({ state: 'waiting', reason: '发生了意外的错误' });
  });

  it('that meet a store or a database that is away wait for it, for a night too, and that is no attempt', async () => {
    let wrong: Error | null = new FilesAway('PUT: 503');
    const w = worker(async () => {
      if (wrong) throw wrong;
    });
    const id = await add('a');
    await w.all();
    expect(await job(id)).toMatchObject({
      ...{ state: 'waiting', attempts: 0, run_at: now + 10_000 },
      reason: expect.stringContaining('恢复后会自动继续'),
    });
    for (let look = 0; look < 40; look += 1) {
      now += 15 * 60_000;
      if (look === 20) wrong = new DatabaseTrouble('away', 'no connection');
      await w.all();
    }
    expect(await job(id)).toMatchObject({ state: 'waiting', attempts: 0 });
    wrong = null;
    now += 15 * 60_000;
    await w.all();
    expect(await job(id)).toMatchObject({ state: 'done', attempts: 1, reason: '' });
    expect(stored).toEqual(['a']);
  });

  it('wait for days from when they first met an outage, not from when they were asked for, and then say that they stopped', async () => {
    let wrong: Error | null = new JobWaits('没有空间，请管理员清理');
    const w = worker(async () => {
      if (wrong) throw wrong;
    });
    const id = await add('a');
    const DAY = 24 * 60 * 60_000;
    // A queue of days before it.
    now += 5 * DAY;
    await w.all();
    expect(await job(id)).toMatchObject({ attempts: 0, reason: '没有空间，请管理员清理，恢复后会自动继续' });
    // Something of its own in between: what comes after that is another outage.
    now += 2 * DAY;
    wrong = new JobTrouble('别的问题');
    await w.all();
    expect(await job(id)).toMatchObject({ attempts: 1, reason: '别的问题', waiting_since: null });
    wrong = new FilesAway('PUT: 503');
    now += 2 * DAY;
    await w.all();
    now += 2 * DAY;
    await w.all();
    expect(await job(id)).toMatchObject({ state: 'waiting', attempts: 1 });
    now += DAY + 1;
    await w.all();
    expect(await job(id)).toMatchObject({ state: 'waiting', attempts: 2, reason: expect.stringContaining('自动继续') });
    now += DAY;
    await w.all();
    expect(await job(id)).toMatchObject({
      ...{ state: 'failed', attempts: 3 },
      reason: '存放文件的服务连不上，等待多日仍未恢复，已停止重试',
    });
  });

  it('that meet a full disk during their work are tried as often as others, and say why', async () => {
    const w = worker(async () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    });
    const id = await add('a');
    await w.all();
    expect(await job(id)).toMatchObject({
      state: 'waiting',
      attempts: 1,
      reason: expect.stringContaining('磁盘空间不足'),
    });
  });

  it('are not taken from this process where it works on them and only could not say so', async () => {
    const [begun, open] = [gate(), gate()];
    const w = worker(
      async () => {
        begun.resolve();
        await open.promise;
      },
      { heartbeatEvery: HEARTBEAT_EVERY * 1000 },
    );
    const id = await add('a');
    await w.look();
    await begun.promise;
    now += 2 * LEASE;
    await w.takeUp();
    expect(await job(id)).toMatchObject({ state: 'running', attempts: 1 });
    open.resolve();
    await w.idle();
    expect(await job(id)).toMatchObject({ state: 'done', attempts: 1 });
    expect(stored).toEqual(['a']);
  });

  it('do not wait for hours that a clock was ahead by when they were asked for', async () => {
    const id = await add('a');
    const ahead = 8 * 60 * 60_000;
    await db.query
      .updateTable('jobs')
      .set({ run_at: now + ahead, created_at: now + ahead })
      .where('id', '=', id)
      .execute();
    const w = worker(async () => undefined);
    await w.all();
    expect(await job(id)).toMatchObject({ state: 'done' });
  });

  it('say how far they are, and end when they are cancelled, running or waiting', async () => {
    const begun = gate();
    const w = worker(
      async ({ percent, signal }) => {
        percent(41.7);
        begun.resolve();
        await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
      },
      { slots: 1 },
    );
    const [runs, waits] = [await add('a'), await add('b')];
    await w.look();
    await begun.promise;
    await expect.poll(async () => (await job(runs))?.percent).toBe(41);
    expect([await cancelJob(db.query, runs, now), await cancelJob(db.query, waits, now)]).toEqual([true, true]);
    await w.idle();
    await w.all();
    expect([await job(runs), await job(waits)]).toMatchObject([{ state: 'cancelled' }, { state: 'cancelled' }]);
    expect(stored).toEqual(['a: 已取消', 'b: 已取消']);
    expect(await cancelJob(db.query, runs, now)).toBe(false);
  });

  it('go on elsewhere when their server is stopped, and that is no attempt', async () => {
    const begun = gate();
    const first = worker(async ({ signal }) => {
      begun.resolve();
      await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
    });
    const id = await add('a');
    await first.look();
    await begun.promise;
    await first.stop();
    expect(await job(id)).toMatchObject({ state: 'waiting', attempts: 0, run_at: now });
    await first.look();
    await worker(async () => undefined).all();
    expect(await job(id)).toMatchObject({ state: 'done', attempts: 1 });
  });

  it('of a process that was killed in the middle are taken up again alone, and given up after so many deaths', async () => {
    const id = await add('a');
    const w = worker(async () => undefined);
    const holder = await startHolder(made.target, now);
    await w.takeUp();
    expect(await job(id)).toMatchObject({ state: 'running', attempts: 1 });
    await holder.kill();
    // Its machine is this one, which knows that it is gone.
    await w.takeUp();
    await w.all();
    expect(await job(id)).toMatchObject({ state: 'done', attempts: 2 });
    expect(stored).toEqual(['a']);

    // Of another machine nobody knows.
    const far = await add('b');
    await db.query
      .updateTable('jobs')
      .set({ state: 'running', owner: `elsewhere 1 ${'0'.repeat(12)}`, attempts: 1, heartbeat_at: now })
      .where('id', '=', far)
      .execute();
    now += LEASE;
    await w.takeUp();
    expect(await job(far)).toMatchObject({ state: 'running', attempts: 1 });
    now += 1;
    await w.takeUp();
    await w.all();
    expect(await job(far)).toMatchObject({ state: 'done', attempts: 2 });

    const again = await add('a');
    await db.query
      .updateTable('jobs')
      .set({ state: 'running', attempts: 3, heartbeat_at: 0 })
      .where('id', '=', again)
      .execute();
    await w.takeUp();
    expect(await job(again)).toMatchObject({ state: 'failed', reason: expect.stringContaining('多次中断') });
  });

  it('of a process that died on another machine do not wait for the hours by which the clock was ahead until it was set back', async () => {
    const said = now + 8 * 60 * 60_000;
    const running = (heartbeat: number) =>
      db.query
        .updateTable('jobs')
        .set({ state: 'running', owner: `elsewhere 1 ${'0'.repeat(12)}`, attempts: 1, heartbeat_at: heartbeat })
        .execute();
    const id = await add('a');
    const w = worker(async () => undefined);
    await running(said);
    for (let looks = 0; looks <= LEASE / HEARTBEAT_EVERY; looks += 1) await w.takeUp();
    expect(await job(id)).toMatchObject({ state: 'running' });
    // Who lives says another time.
    await running(said + 1);
    for (let looks = 0; looks <= LEASE / HEARTBEAT_EVERY; looks += 1) await w.takeUp();
    expect(await job(id)).toMatchObject({ state: 'running' });
    await w.takeUp();
    await w.all();
    expect(await job(id)).toMatchObject({ state: 'done', attempts: 2 });
  });

  it('that were lost by a process which stood still are stored once, by whom took them up', async () => {
    const [begun, open] = [gate(), gate()];
    // As with an event loop that is blocked: no sign of life, and then it comes with its result.
    const late = worker(
      async (_job, name) => {
        begun.resolve();
        await open.promise;
        stored.push(`${name}, late`);
      },
      { heartbeatEvery: HEARTBEAT_EVERY * 1000 },
    );
    const id = await add('a');
    await late.look();
    await begun.promise;
    now += LEASE + 1;
    const next = worker(async () => undefined);
    await next.takeUp();
    await next.all();
    open.resolve();
    await late.idle();
    expect(stored).toEqual(['a', 'a, late']);
    expect(await job(id)).toMatchObject({ state: 'done', fence: 3 });
  });

  it('are told that they were lost', async () => {
    const begun = gate();
    let why = '';
    const first = worker(async ({ signal }) => {
      begun.resolve();
      await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
      why = 'not reached';
    });
    await add('a');
    await first.look();
    await begun.promise;
    await db.query.updateTable('jobs').set({ heartbeat_at: 0, fence: 9 }).execute();
    await first.idle();
    expect([why, stored]).toEqual(['', []]);
    now += LEASE;
  });

  it('that ended long ago are forgotten, those that wait are not', async () => {
    const w = worker(async () => undefined);
    await add('a');
    await w.all();
    await add('b');
    now += 31 * 24 * 3_600_000;
    await w.forget();
    expect((await readJobs(db.query, 9)).map(({ key }) => key)).toEqual(['b']);
  });
});
