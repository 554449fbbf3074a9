import { CompiledQuery, Kysely, sql, type Transaction } from 'kysely';
import { collectSaid, type Said } from './after-commit.ts';
import { type LogLost, logFlusher } from './flush.ts';
import { migrate, migrationsOf } from './migrate.ts';
import { type OneAtATime, oneOnFile, oneOnPostgres } from './one-at-a-time.ts';
import { type PostgresLimits, postgresDialect, StatementNames, TAKES_LONG } from './postgres.ts';
import type { Tables } from './schema.ts';
import { HELD_PAUSE, isSqliteBusy, openSqlite, readOnlyDialect, type SqliteFile } from './sqlite.ts';
import { isRepeated, troubleOf } from './trouble.ts';
import { Troubles } from './troubles.ts';

/** Where to look things up: the database or a transaction on it. Store functions take this. */
export type Query = Kysely<Tables>;
/** An open transaction. Store functions that must be part of one take this. */
export type Trx = Transaction<Tables>;

declare const changesPeople: unique symbol;
/**
 * An open transaction of `Db.changePeople`, which alone gives one. Store functions that change or delete `users` or
 * `sessions` take this, so that what is kept in memory of them is given up after the commit (tools/table-access.ts checks).
 */
export interface PeopleTrx extends Trx {
  readonly [changesPeople]: never;
}

/** The database, opened, checked and migrated. */
export interface Db {
  kind: 'sqlite' | 'postgres';
  query: Query;
  /**
   * Runs one compiled `select` the shortest way, for what stands before every request: it sees what is committed and
   * never waits for a transaction. SQLite answers at once, PostgreSQL later.
   */
  look<R>(text: string, parameters: readonly unknown[]): R[] | Promise<R[]>;
  /**
   * Says that a statement's text comes again and again, so that each connection to PostgreSQL prepares it once
   * (prepared.ts). SQLite prepares all.
   */
  keepPrepared(text: string): void;
  /**
   * A number that is another one after every `changePeople`, so that what was read of people and their sessions may be
   * kept in memory until then. Another process's changes are noticed within 100 ms. Null where that cannot be told
   * (PostgreSQL): keep nothing.
   */
  peopleVersion(): number | null;
  /** As `peopleVersion`, but of any database: of another process's changes PostgreSQL says nothing. */
  peopleChanges(): number;
  /**
   * As `transaction`, for work that changes or deletes people or their sessions: when it returns, nobody uses what was
   * known of them before. Adding a person or a session needs no telling, since only what was found is kept.
   */
  changePeople<T>(work: (trx: PeopleTrx) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one transaction; what it returns has been committed to disk. What was certainly taken back through
   * nobody's fault (a lost race, a held lock, a connection that was cut) is tried again for a few seconds, so `work` must
   * be repeatable; an error from `work` itself rolls back and is thrown.
   */
  transaction<T>(work: (trx: Trx) => Promise<T>, how?: TransactionHow): Promise<T>;
  /** Does work of which one is done at a time, as an import is that takes many transactions. */
  oneAtATime: OneAtATime;
  /** Hears what transactions of this process said (after-commit.ts), once they have committed. */
  hearSaid(hear: (said: Said) => void): void;
  /** What went wrong with it lately. */
  readonly troubles: Troubles;
  /** Which setting makes commits of this database less than durable now; null: none does. */
  notDurable(): Promise<string | null>;
  close(): Promise<void>;
}

interface TransactionHow {
  /** Twice is the same as once: a commit whose answer was lost with its connection is done again. */
  idempotent?: () => boolean;
  /** Imports and the like: statements of minutes are no fault, and nobody waits for the answer. */
  long?: boolean;
  /** Milliseconds in which it may be tried again. */
  patience?: number;
}

/** `patience`: milliseconds in which a transaction may be tried again, where it says nothing else. */
export type DbTarget =
  | {
      kind: 'sqlite';
      path: string;
      busyMs?: number;
      patience?: number;
      /** Nobody else has the file open: what an earlier process left in the log is brought into the database first. */
      alone?: boolean;
      /** Told once when the log could not be brought to the disk: nothing is committed any more, the process has to end. */
      onLogLost?: (error: LogLost) => void;
    }
  | { kind: 'postgres'; url: string; schema?: string; limits?: PostgresLimits; patience?: number };

/** The database gives commits that a power cut could take back; the message says which setting. */
export class NotDurable extends Error {}

/**
 * Milliseconds in which a transaction is tried again; a browser gives its call up after 20 s, and has to be told before
 * that its answer is not stored.
 */
const PATIENCE = 5000;
/** At the start and for imports: nobody waits, and an import may hold SQLite's lock. */
const LONG_PATIENCE = 30_000;
/** How long SQLite itself waits for another process's write lock (milliseconds): the event loop stands still for it, at each try. */
const BUSY_MS = 1;

const fromFile = (file: SqliteFile) => ({ dialect: file.dialect, file });

/** Opens the database, refuses one whose commits are not durable, and brings its tables up to date. */
export async function openDb(target: DbTarget, now: number): Promise<Db> {
  const names = new StatementNames();
  const { dialect, file } =
    target.kind === 'postgres'
      ? { dialect: postgresDialect(target.url, target.schema, names, target.limits), file: null }
      : fromFile(openSqlite(target.path, target.busyMs ?? BUSY_MS, logFlusher, target.onLogLost));
  const query = new Kysely<Tables>({ dialect });
  try {
    if (target.kind === 'postgres' && target.schema) {
      const schema = sql.id(target.schema);
      // "if not exists" alone fails when two processes create it in the same moment.
      await query.transaction().execute(async (trx) => {
        await takeLong(trx, target.kind);
        await sql`select pg_advisory_xact_lock(7105141)`.execute(trx);
        await sql`create schema if not exists ${schema}`.execute(trx);
      });
    }
    const weak = await notDurable(query, target);
    if (weak !== null) throw new NotDurable(weak);
    // The log may hold what the process before could not bring to the disk and what only the system's memory has kept:
    // copied into the database and flushed there, it is safe before anybody is told so.
    if (target.kind === 'sqlite' && target.alone) await sql`pragma wal_checkpoint(truncate)`.execute(query);
    await retried(() => migrate(query, target.kind, now), { patience: LONG_PATIENCE });
  } catch (error) {
    await query.destroy();
    throw error;
  }
  const hearers: ((said: Said) => void)[] = [];
  const transaction: Db['transaction'] = (work, how = {}) =>
    retried(
      async () => {
        let told: () => Iterable<Said> = () => [];
        const done = await query.transaction().execute(async (trx) => {
          told = collectSaid(trx);
          if (how.long) await takeLong(trx, target.kind);
          return work(trx);
        });
        for (const said of told()) for (const hear of hearers) hear(said);
        return done;
      },
      { patience: how.long ? LONG_PATIENCE : (target.patience ?? PATIENCE), ...how },
    );
  let peopleVersion = 0;
  let commitsAbroad = file?.commitsAbroad();
  const peopleChanges = () => {
    const now = file?.commitsAbroad();
    if (now !== commitsAbroad) peopleVersion += 1;
    commitsAbroad = now;
    return peopleVersion;
  };
  return {
    kind: target.kind,
    query,
    look: <R>(text: string, parameters: readonly unknown[]) =>
      file
        ? (file.look(text, parameters) as R[])
        : query.executeQuery<R>(CompiledQuery.raw(text, [...parameters]) as CompiledQuery<R>).then(({ rows }) => rows),
    keepPrepared: (text) => names.add(text),
    peopleVersion: () => (file ? peopleChanges() : null),
    peopleChanges,
    transaction,
    oneAtATime:
      target.kind === 'sqlite' ? oneOnFile(target.path) : oneOnPostgres(query, (trx) => takeLong(trx, 'postgres')),
    hearSaid: (hear) => void hearers.push(hear),
    troubles: new Troubles(),
    notDurable: () => notDurable(query, target),
    changePeople: async (work) => {
      try {
        return await transaction((trx) => work(trx as PeopleTrx));
      } finally {
        // After an error too: a commit whose answer was lost has changed people all the same.
        peopleVersion += 1;
      }
    },
    close: async () => {
      await file?.close();
      await query.destroy();
    },
  };
}

/** A database as it is: neither checked nor migrated. */
export interface Look {
  query: Query;
  /** Migrations of this program that have not run, and those of a newer program that have. */
  migrations: { waiting: string[]; unknown: string[] };
  /** Why its commits are not durable; null: they are. */
  notDurable: string | null;
  close(): Promise<void>;
}

/** Opens a database to look at it or to copy it. Changes nothing; fails when there is none. */
export async function lookAt(target: DbTarget): Promise<Look> {
  const query = new Kysely<Tables>({
    dialect:
      target.kind === 'sqlite'
        ? readOnlyDialect(target.path, target.busyMs ?? 1000)
        : postgresDialect(target.url, target.schema),
  });
  try {
    const migrations = await migrationsOf(query, target.kind);
    return { query, migrations, notDurable: await notDurable(query, target), close: () => query.destroy() };
  } catch (error) {
    await query.destroy();
    throw error;
  }
}

/**
 * A save is acknowledged after its commit, so a commit must mean "on disk" (decisions §3).
 * @returns the sentence that names the setting which is not so; null: all are right
 */
async function notDurable(query: Query, target: DbTarget): Promise<string | null> {
  if (target.kind === 'sqlite') {
    if (target.path === ':memory:') return null;
    const mode = (await sql<{ journal_mode: string }>`pragma journal_mode`.execute(query)).rows[0]?.journal_mode;
    const level = (await sql<{ synchronous: number }>`pragma synchronous`.execute(query)).rows[0]?.synchronous ?? 0;
    // In WAL mode the log is flushed after each commit by ourselves (flush.ts), for which SQLite's NORMAL is enough.
    if ((mode === 'wal' && level >= 1) || (mode === 'delete' && level >= 2)) return null;
    return `SQLite commits are not durable here: journal_mode=${mode}, synchronous=${level}`;
  }
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    const row = (await sql<{ value: string }>`select current_setting(${name}) as value`.execute(query)).rows[0];
    if (row?.value === 'off') {
      return `PostgreSQL commits are not durable here: ${name} is off. Turn it on in postgresql.conf`;
    }
  }
  return null;
}

/** Says at the beginning of a transaction that it may take long (`TransactionHow.long`). */
export async function takeLong(trx: Query, kind: Db['kind']): Promise<void> {
  if (kind === 'postgres') await sql.raw(TAKES_LONG).execute(trx);
}

/** The pause before the nth try (milliseconds). SQLite's lock comes free for a moment, and has to be found free then. */
const pauseBefore = (attempt: number, error: unknown) =>
  isSqliteBusy(error) ? HELD_PAUSE : Math.min(20 * attempt, 250);

async function retried<T>(
  work: () => Promise<T>,
  { patience = PATIENCE, idempotent = () => false }: TransactionHow,
): Promise<T> {
  const began = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const trouble = troubleOf(error);
      if (!isRepeated(trouble, idempotent())) throw error;
      // A connection that died took longer to show it than anybody waits otherwise; another one answers at once.
      const once = attempt === 1 && trouble !== 'held';
      if (!once && performance.now() - began > patience) throw error;
      await new Promise((wake) => setTimeout(wake, pauseBefore(attempt, error)));
    }
  }
}

/** Whether an error says that a unique constraint refused the row. */
export function isDuplicate(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && error.code === '23505') return true;
  return 'errcode' in error && (error.errcode === 2067 || error.errcode === 1555);
}
