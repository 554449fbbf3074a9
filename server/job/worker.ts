import { availableParallelism, hostname } from 'node:os';
import { afterFailure, againAfterOutage, HEARTBEAT_EVERY, isAbandoned } from '#rules/job/retry.ts';
import type { Chore } from '#server/chores.ts';
import type { Trx } from '#server/db/open.ts';
import { troubleOf } from '#server/db/trouble.ts';
import { FilesAway } from '#server/files.ts';
import type { Parts } from '#server/parts.ts';
import {
  claimJob,
  deleteJobsEndedBefore,
  endJob,
  type GivenBack,
  giveBackJob,
  type Held,
  noteAlive,
  readRunning,
  type StoredJob,
} from './store.ts';

/** A job that cannot be done, however often it is tried; the message says why, in plain Chinese. */
export class JobRefused extends Error {}
/** What may go better later; the message says what, in plain Chinese. */
export class JobTrouble extends Error {}
/** What lies outside of the job and is found before its work (no room on the disk): it waits for it, for days. The message says what is wrong, and what to do. */
export class JobWaits extends JobTrouble {}

/** What the work of a job is told. */
export interface RunningJob extends Held {
  /** Set when it was cancelled, has gone to another process, or the server ends: stop soon, by throwing anything. */
  signal: AbortSignal;
  /** Says how far it is; null: not known. */
  percent(done: number | null): void;
}

/** One kind of job. `I`: what it needs to know, as it is stored. */
export interface JobKind<I = never> {
  kind: string;
  /** How often it is begun at most. */
  mostAttempts: number;
  /** It needs a moment and hardly any processor, and does not wait behind work of hours. */
  light?: boolean;
  /**
   * Does the work, which has to be repeatable: a killed process leaves it half done. Whatever blocks, or might end the
   * process, is done in a child process.
   * @returns what stores the result, in the transaction that ends the job: it is not called when the job went to another
   * @throws JobRefused, JobTrouble
   */
  run(input: I, job: RunningJob): Promise<(trx: Trx) => Promise<void>>;
  /** Stores, in the transaction that ends the job, that it will not be done. */
  givenUp?(trx: Trx, input: I, reason: string): Promise<void>;
}

/** Claims and does jobs in this process. */
export interface JobWorker {
  chores: readonly Chore[];
  /** Waits until what runs here has ended. */
  idle(): Promise<void>;
  /** Gives back what runs here, and takes nothing more. */
  stop(): Promise<void>;
}

const DAY = 24 * 60 * 60_000;
/** How long a job that has ended is listed. */
const LISTED = 30 * DAY;
const LOOK_EVERY = 1000;
const CANCELLED = '已取消';
const DIED = '处理过程中服务器多次中断，已停止重试';
const UNEXPECTED = '发生了意外的错误';
const DISK_FULL = '服务器磁盘空间不足，请管理员清理后重试';
const FILES_AWAY = '存放文件的服务连不上';
const DATABASE_AWAY = '数据库不能使用';
const GOES_ON = '恢复后会自动继续';
const STOPPED = '等待多日仍未恢复，已停止重试';

/** Cores that one job may use; each process does as many jobs at once as it has cores for. */
export const CORES_EACH = 2;

/** Light jobs at once in one process, beside the others. */
const LIGHT_SLOTS = 2;

interface Options {
  /** Jobs at once in this process, beside light ones. */
  slots?: number;
  /** Milliseconds between two signs of life. */
  heartbeatEvery?: number;
}

/** What is wrong outside of a job, for its asker; null: its own fault, or the disk's, which it may have filled itself. */
function outageOf(error: unknown): string | null {
  if (error instanceof JobWaits) return error.message;
  if (error instanceof FilesAway) return FILES_AWAY;
  const trouble = troubleOf(error);
  return trouble === null || trouble === 'full' ? null : DATABASE_AWAY;
}

/** The workers of this process. */
const aliveHere = new Set<string>();

/**
 * Whether a job belongs to a process of this machine that is gone, so that nobody has to wait for its lease. Should it live all the same
 * (two machines of one name), its fence keeps it from storing anything.
 */
function diedHere(owner: string): boolean {
  const [host, pid = ''] = owner.split(' ');
  if (host !== hostname() || !/^[1-9]\d*$/.test(pid) || aliveHere.has(owner)) return false;
  // In a container the next process has the number of the one before.
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/**
 * Does the jobs of these kinds. Rows in the database say what is to be done and by whom: any process takes what is due, says
 * that it is alive while it works, and whoever stops saying so loses it to the next. What is stored in the end is stored by
 * whom the job belongs to then, once (docs/decisions/030-jobs-and-media.md).
 */
export function jobWorker(
  { db, clock, log, random }: Pick<Parts, 'db' | 'clock' | 'log' | 'random'>,
  kinds: readonly JobKind[],
  {
    slots = Math.max(1, Math.floor(availableParallelism() / CORES_EACH)),
    heartbeatEvery = HEARTBEAT_EVERY,
  }: Options = {},
): JobWorker {
  const owner = `${hostname()} ${process.pid} ${random(6).toString('hex')}`;
  aliveHere.add(owner);
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]));
  const running = new Map<Promise<void>, JobKind>();
  const stopping = new AbortController();
  /** Jobs that are worked on here, or were left here because the database could not be told how they ended. */
  const held = new Map<number, 'working' | 'left'>();
  /** What running jobs said last, of any process, and how often that was found before. */
  let heard = new Map<number, { at: number | null; looks: number }>();

  async function look(now: number): Promise<void> {
    while (!stopping.signal.aborted) {
      const light = [...running.values()].filter((kind) => kind.light).length;
      const taken = kinds.filter((kind) => (kind.light ? light < LIGHT_SLOTS : running.size - light < slots));
      const job = await claimJob(db, { owner, kinds: taken.map(({ kind }) => kind) }, now);
      const kind = job && byName.get(job.kind);
      if (!kind) return;
      held.set(job.id, 'working');
      const done = hold(job, kind).then(
        () => void held.delete(job.id),
        (error: unknown) => {
          // Its lease runs out, and whoever takes it then goes on.
          log.error({ err: error, job: job.id }, 'job was left');
          if (troubleOf(error) === null) held.delete(job.id);
          else held.set(job.id, 'left');
        },
      );
      running.set(done, kind);
      void done.finally(() => running.delete(done));
    }
  }

  /** Works on a job that was just claimed, until it ends here in one way or another. */
  async function hold(job: StoredJob, kind: JobKind): Promise<void> {
    const { id, fence } = job;
    const lost = new AbortController();
    const cancelled = new AbortController();
    if (job.cancel === 1) return giveUp(job, kind, 'cancelled', CANCELLED);
    let percent: number | null = null;
    let asking = false;
    const beat = setInterval(async () => {
      if (asking) return;
      asking = true;
      try {
        const state = await noteAlive(db.query, { id, fence }, percent, clock());
        if (state === 'lost') lost.abort();
        if (state === 'cancel') cancelled.abort();
      } catch (error) {
        log.warn({ err: error, job: id }, 'a job could not say that it is alive');
      } finally {
        asking = false;
      }
    }, heartbeatEvery);
    const signal = AbortSignal.any([lost.signal, cancelled.signal, stopping.signal]);
    try {
      const store = await kind.run(JSON.parse(job.input) as never, {
        ...{ id, fence, signal },
        percent: (done) => {
          percent = done === null ? null : Math.max(0, Math.min(99, Math.floor(done)));
        },
      });
      await db.transaction(async (trx) => {
        if (await endJob(trx, { id, fence }, { state: 'done' }, clock())) await store(trx);
        else log.warn({ job: id }, 'a job went to another process: what this one made is thrown away');
      });
    } catch (error) {
      if (lost.signal.aborted) log.warn({ job: id }, 'a job went to another process');
      else if (cancelled.signal.aborted) await giveUp(job, kind, 'cancelled', CANCELLED);
      else if (stopping.signal.aborted) await giveBack(job, { at: clock(), reason: '', counted: false });
      else await failed(job, kind, error);
    } finally {
      clearInterval(beat);
    }
  }

  async function failed(job: StoredJob, kind: JobKind, error: unknown): Promise<void> {
    const told = error instanceof JobRefused || error instanceof JobTrouble;
    if (!told) log.error({ err: error, job: job.id, kind: job.kind }, 'job failed');
    const outage = outageOf(error);
    const waitingSince = outage === null ? null : (job.waiting_since ?? clock());
    const waits = { reason: `${outage}，${GOES_ON}`, waitingSince };
    const at = waitingSince === null ? null : againAfterOutage(waitingSince, clock());
    if (at !== null) return giveBack(job, { ...waits, at, counted: false });
    const ownFault = told ? error.message : troubleOf(error) === 'full' ? DISK_FULL : UNEXPECTED;
    const next = afterFailure({ attempts: job.attempts, most: kind.mostAttempts }, clock());
    if (!next.again || error instanceof JobRefused)
      return giveUp(job, kind, 'failed', outage === null ? ownFault : `${outage}，${STOPPED}`);
    await giveBack(job, {
      ...(outage === null ? { reason: ownFault, waitingSince } : waits),
      at: next.at,
      counted: true,
    });
  }

  const giveBack = (job: StoredJob, how: GivenBack) => db.transaction((trx) => giveBackJob(trx, job, how, clock()));

  async function giveUp(job: StoredJob, kind: JobKind, state: 'failed' | 'cancelled', reason: string): Promise<void> {
    await db.transaction(async (trx) => {
      if (await endJob(trx, job, { state, reason }, clock()))
        await kind.givenUp?.(trx, JSON.parse(job.input) as never, reason);
    });
  }

  /** Takes up what a process left that died or stands still: the row is given back, or given up after so many deaths. */
  async function takeUp(now: number): Promise<void> {
    const all = await readRunning(db.query);
    const before = heard;
    heard = new Map(
      all.map(({ id, heartbeat_at: at }) => {
        const known = before.get(id);
        return [id, { at, looks: known?.at === at ? known.looks + 1 : 0 }];
      }),
    );
    for (const job of all) {
      const kind = byName.get(job.kind);
      const gone = isAbandoned(job.heartbeat_at, now, heard.get(job.id)?.looks ?? 0);
      if (!kind || !(gone || diedHere(job.owner ?? ''))) continue;
      const here = job.owner === owner ? held.get(job.id) : undefined;
      // It is worked on, and only could not say so while the database was away.
      if (here === 'working') continue;
      held.delete(job.id);
      if (job.cancel === 1) await giveUp(job, kind, 'cancelled', CANCELLED);
      else if (here === 'left') await giveBack(job, { at: now, reason: '', counted: false });
      else if (job.attempts >= kind.mostAttempts) await giveUp(job, kind, 'failed', DIED);
      else await giveBack(job, { at: now, reason: '', counted: true });
    }
  }

  const idle = async () => {
    while (running.size > 0) await Promise.all(running.keys());
  };
  return {
    chores: [
      { name: 'jobs: look for work', every: LOOK_EVERY, run: look },
      { name: 'jobs: take up what was left', every: HEARTBEAT_EVERY, run: takeUp },
      { name: 'jobs: forget old ones', every: DAY, run: (now) => deleteJobsEndedBefore(db.query, now - LISTED) },
    ],
    idle,
    stop: async () => {
      stopping.abort();
      await idle();
      aliveHere.delete(owner);
    },
  };
}
