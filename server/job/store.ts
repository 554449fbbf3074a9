import { type Selectable, sql } from 'kysely';
import type { JobState } from '#contract/values/job.ts';
import { LONGEST_WAIT } from '#rules/job/retry.ts';
import { inLists } from '#server/db/batches.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import type { Jobs } from '#server/db/schema.ts';

/** A job as it is stored. */
export type StoredJob = Selectable<Jobs>;

/** What is asked for. */
export interface NewJob {
  kind: string;
  key: string;
  input: object;
  /** The higher, the sooner; 0 when left out. */
  priority?: number;
  /** Milliseconds for which it waits first, `LONGEST_WAIT` at most. */
  after?: number;
}

/** One holding of a job: what is said with an older fence counts no more. */
export interface Held {
  id: number;
  fence: number;
}

/** Held by every process that claims, so that two do not take the same (PostgreSQL). */
const CLAIMING = 7_105_142;

/**
 * Asks for a job. Asked for again while it waits, it is the same one; while it runs, it is done once more afterwards, since
 * what it reads may have changed.
 * @returns its id
 */
export async function addJob(
  trx: Trx,
  { kind, key, input, priority = 0, after = 0 }: NewJob,
  now: number,
): Promise<number> {
  const text = JSON.stringify(input);
  const { id } = await trx
    .insertInto('jobs')
    .values({
      ...{ kind, key, input: text, state: 'waiting', priority, percent: null, run_at: now + after, created_at: now },
      ...{ owner: null, heartbeat_at: null, started_at: null, ended_at: null },
    })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'key'])
        // Written out: PostgreSQL finds the index by its words, not by a parameter.
        .where(sql<boolean>`state = 'waiting'`)
        .doUpdateSet({ input: text, cancel: 0, run_at: now + after, attempts: 0, reason: '', waiting_since: null }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Takes the next job that is due, for one process; null: there is none. What is to be cancelled is taken like any other. */
export async function claimJob(
  db: Db,
  { owner, kinds }: { owner: string; kinds: readonly string[] },
  now: number,
): Promise<StoredJob | null> {
  // A look without a transaction first: most of the time nothing is due.
  if (kinds.length === 0 || !(await dueJob(db.query, kinds, now))) return null;
  return db.transaction(async (trx) => {
    if (db.kind === 'postgres') await sql`select pg_advisory_xact_lock(${CLAIMING})`.execute(trx);
    const due = await dueJob(trx, kinds, now);
    if (!due) return null;
    const claimed = await trx
      .updateTable('jobs')
      .set(({ eb }) => ({
        ...{ state: 'running' as const, owner, heartbeat_at: now, started_at: now, percent: null },
        attempts: eb('attempts', '+', 1),
        fence: eb('fence', '+', 1),
      }))
      .where('id', '=', due.id)
      .where('state', '=', 'waiting')
      .returningAll()
      .executeTakeFirst();
    return claimed ?? null;
  });
}

/** The next job whose time has come. What waits for longer than any job may was asked for before the clock was set back. */
async function dueJob(query: Query, kinds: readonly string[], now: number): Promise<{ id: number } | undefined> {
  return query
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'waiting')
    .where((is) => is.or([is('run_at', '<=', now), is('run_at', '>', now + LONGEST_WAIT)]))
    .where('kind', 'in', kinds)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs as beside')
            .select('beside.id')
            .whereRef('beside.kind', '=', 'jobs.kind')
            .whereRef('beside.key', '=', 'jobs.key')
            .where('beside.state', '=', 'running'),
        ),
      ),
    )
    .orderBy('priority', 'desc')
    .orderBy('run_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** Says that its holder is alive, and how far it is. @returns whether it is still theirs, and whether somebody wants it ended */
export async function noteAlive(
  query: Query,
  { id, fence }: Held,
  percent: number | null,
  now: number,
): Promise<'held' | 'cancel' | 'lost'> {
  const row = await query
    .updateTable('jobs')
    .set({ heartbeat_at: now, percent })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('state', '=', 'running')
    .returning('cancel')
    .executeTakeFirst();
  if (!row) return 'lost';
  return row.cancel === 1 ? 'cancel' : 'held';
}

/** Ends a job for good. @returns false when it is no longer theirs: then nothing of it may be stored */
export async function endJob(
  trx: Trx,
  { id, fence }: Held,
  { state, reason = '' }: { state: Extract<JobState, 'done' | 'failed' | 'cancelled'>; reason?: string },
  now: number,
): Promise<boolean> {
  const row = await trx
    .updateTable('jobs')
    .set({ state, reason, owner: null, ended_at: now, ...(state === 'done' ? { percent: 100 } : {}) })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** How a job is given back. */
export interface GivenBack {
  /** When it is begun again. */
  at: number;
  /** Why, in Chinese. */
  reason: string;
  /** Whether this attempt counts: not when its server was only stopped. */
  counted: boolean;
  /** Since when it waits for what lies outside of it, null: it does not; left out: as before. */
  waitingSince?: number | null;
}

/** Gives a job back. Where the same was asked for meanwhile, that one is done instead. */
export async function giveBackJob(
  trx: Trx,
  { id, fence }: Held,
  { at, reason, counted, waitingSince }: GivenBack,
  now: number,
): Promise<void> {
  const job = await trx
    .selectFrom('jobs')
    .select(['kind', 'key', 'attempts'])
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('state', '=', 'running')
    .executeTakeFirst();
  if (!job) return;
  const { kind, key, attempts } = job;
  const next = await trx
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  if (next) {
    await endJob(trx, { id, fence }, { state: 'cancelled', reason: '已由之后的同一任务代替' }, now);
    return;
  }
  await trx
    .updateTable('jobs')
    .set({
      ...{ state: 'waiting', owner: null, heartbeat_at: null, run_at: at, reason, percent: null, fence: fence + 1 },
      attempts: counted ? attempts : attempts - 1,
      ...(waitingSince === undefined ? {} : { waiting_since: waitingSince }),
    })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .execute();
}

/** Jobs that a process has. */
export async function readRunning(query: Query): Promise<StoredJob[]> {
  return query.selectFrom('jobs').selectAll().where('state', '=', 'running').execute();
}

/** Asks for the end of a job. @returns false when it has ended already, or there is none */
export async function cancelJob(query: Query, id: number, now: number): Promise<boolean> {
  const row = await query
    .updateTable('jobs')
    .set({ cancel: 1, run_at: now })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'running'])
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The jobs that stand, then those that ended last. */
export async function readJobs(query: Query, limit: number): Promise<StoredJob[]> {
  const open = await query
    .selectFrom('jobs')
    .selectAll()
    .where('state', 'in', ['waiting', 'running'])
    .orderBy('priority', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
  const ended = await query
    .selectFrom('jobs')
    .selectAll()
    .where('ended_at', 'is not', null)
    .orderBy('ended_at', 'desc')
    .limit(Math.max(limit - open.length, 0))
    .execute();
  return [...open, ...ended];
}

/** The last job of a kind and key: how far it is, and what went wrong. */
export async function readLastJob(query: Query, kind: string, key: string): Promise<StoredJob | null> {
  const row = await query
    .selectFrom('jobs')
    .selectAll()
    .where('kind', '=', kind)
    .where('key', '=', key)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** The last job of each of these keys. */
export async function readLastJobs(
  query: Query,
  kind: string,
  keys: readonly string[],
): Promise<Map<string, StoredJob>> {
  const found = new Map<string, StoredJob>();
  for (const some of inLists(keys)) {
    const rows = await query
      .selectFrom('jobs')
      .selectAll()
      .where('id', 'in', (jobs) =>
        jobs
          .selectFrom('jobs')
          .select(({ fn }) => fn.max('id').as('id'))
          .where('kind', '=', kind)
          .where('key', 'in', some)
          .groupBy('key'),
      )
      .execute();
    for (const row of rows) found.set(row.key, row);
  }
  return found;
}

/** Asks for the end of whatever stands of a kind and key. */
export async function cancelJobsOf(trx: Trx, kind: string, key: string, now: number): Promise<void> {
  await trx
    .updateTable('jobs')
    .set({ cancel: 1, run_at: now })
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('state', 'in', ['waiting', 'running'])
    .execute();
}

/** Deletes jobs that ended before this time. */
export async function deleteJobsEndedBefore(query: Query, time: number): Promise<void> {
  await query.deleteFrom('jobs').where('ended_at', '<', time).execute();
}
