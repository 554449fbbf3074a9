import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
} from 'kysely';
import { type Checkpointer, logCheckpointer } from './checkpoint.ts';
import { type Flusher, failsForGood, type LogLost, logFlusher } from './flush.ts';
import { onlyReads } from './only-reads.ts';

/** How many prepared statements one connection keeps; past that the oldest goes. */
const KEPT_STATEMENTS = 500;

/** A database file to look at or to copy: nothing is written to it, not even a setting, and it must be there. */
export function readOnlyDialect(path: string, busyMs: number): SqliteDialect {
  return new SqliteDialect({ database: async () => connect(path, busyMs, true) });
}

/** One SQLite file as a server uses it. */
export interface SqliteFile {
  dialect: SqliteDialect;
  /**
   * Reads beside the transactions: sees what is committed, waits for none of them, answers at once.
   * For statements that stand before every request.
   */
  look(text: string, parameters: readonly unknown[]): unknown[];
  /** A number that changes when another process has committed anything; looked at every 100 ms at most. */
  commitsAbroad(): number;
  close(): Promise<void>;
}

/** Pages of the log at which SQLite copies it itself, where the thread has failed (80 MB). */
const OWN_COPY_AT = 20_000;

/** How long a single write is tried again while another process holds the write lock (milliseconds). */
const SINGLE_PATIENCE = 5000;
/**
 * How often somebody who waits for that lock looks whether it is free (milliseconds). An import lets it go between its parts for longer
 * than this (server/import/write-in-parts.ts), so that who waits gets it.
 */
export const HELD_PAUSE = 10;

/**
 * The end of a long log is copied while nothing is written here. While another process writes it comes to no end, and transactions would
 * wait for it: it waits until none has written for so long (milliseconds).
 */
const ALONE_FOR = 2000;

/** How often another process's commits are looked for (milliseconds): the operator's command line works beside a server. */
const LOOK_ABROAD_EVERY = 100;

/**
 * Opens a file for Kysely over Node's own SQLite. A commit is on disk when it returns: in WAL mode the log is flushed
 * beside the event loop (flush.ts), else SQLite does it. Statements are prepared once per SQL text.
 * @param path a file, or ':memory:' for tests that need no durability; that has no second connection, so looks go the
 *   same way as writes
 * @param busyMs how long a statement waits inside SQLite for another process's write lock. It blocks the event loop,
 *   so a server keeps it short and retries the transaction itself (see `open.ts`); a command-line tool can wait.
 * @param onLogLost told once when a flush failed; from then on every write fails
 */
export function openSqlite(
  path: string,
  busyMs: number,
  makeFlusher = logFlusher,
  onLogLost: (error: LogLost) => void = () => undefined,
): SqliteFile {
  if (path !== ':memory:') {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // What SQLite reads as an address names no file here.
    if (!path.startsWith('file:')) forOwnerAlone(path);
  }
  const writer = connect(path, busyMs, false);
  // Where the log cannot be used (some network folders), SQLite falls back to a journal and keeps `synchronous=FULL`.
  const flusher = writer.journal() === 'wal' ? failsForGood(makeFlusher(`${path}-wal`), onLogLost) : null;
  // SQLite's own copying of the log, inside a commit, is for the case that the thread cannot do it: at 80 MB.
  const copyOwn = (pages: number) => writer.exec(`pragma wal_autocheckpoint = ${pages}`);
  const checkpointer =
    flusher &&
    logCheckpointer(
      path,
      () => copyOwn(OWN_COPY_AT),
      () => copyOwn(0),
    );
  if (flusher) writer.exec(`pragma synchronous = normal; pragma wal_autocheckpoint = 0`);
  let reader: Connection | null = path === ':memory:' ? writer : null;
  let looked = Number.NEGATIVE_INFINITY;
  let abroad = 0;
  const look: SqliteFile['look'] = (text, parameters) => {
    // The writing connection keeps its pages in memory over its own commits, so it is the faster one, but what it does
    // half-way through a transaction is nobody's business.
    if (!writer.isTransaction()) return writer.prepare(text).all(parameters);
    reader ??= connect(path, busyMs, true);
    return reader.prepare(text).all(parameters);
  };
  const commitsAbroad = () => {
    const now = performance.now();
    if (now - looked > LOOK_ABROAD_EVERY) {
      looked = now;
      const [row] = writer.prepare('pragma data_version').all([]) as { data_version: number }[];
      abroad = row?.data_version ?? 0;
    }
    return abroad;
  };
  return {
    dialect: new FlushedDialect(writer, flusher && checkpointer && { flusher, checkpointer, commitsAbroad }, look),
    look,
    commitsAbroad,
    close: async () => {
      if (reader !== writer) reader?.close();
      flusher?.close();
      await checkpointer?.close();
    },
  };
}

/** Who cares for the log beside the event loop. */
interface LogKeepers {
  flusher: Flusher;
  checkpointer: Checkpointer;
  commitsAbroad: SqliteFile['commitsAbroad'];
}

/**
 * Kysely's SQLite, whose connection answers what it did after the log is on disk. The next transaction begins while the
 * log is still on its way, so that processor and disk work at the same time.
 */
class FlushedDialect extends SqliteDialect {
  readonly #file: Connection;
  readonly #keepers: LogKeepers | null;

  readonly #look: SqliteFile['look'];

  constructor(file: Connection, keepers: LogKeepers | null, look: SqliteFile['look']) {
    super({ database: file });
    this.#file = file;
    this.#keepers = keepers;
    this.#look = look;
  }

  override createDriver(): SqliteDriver {
    return this.#keepers
      ? new FlushedDriver(this.#file, this.#keepers, this.#look)
      : (super.createDriver() as SqliteDriver);
  }

  override createAdapter(): SqliteAdapter {
    return this.#keepers ? new TurnsOfItsOwn() : new SqliteAdapter();
  }
}

/** Kysely gives one connection to one user after the other, who keeps it until the answer; `FlushedDriver` does it itself. */
class TurnsOfItsOwn extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * The order in which one file is used. Transactions and single writes take turns. A single read waits for no turn: it sees
 * what is committed. All are answered when what they wrote or can have read is on disk.
 */
class FlushedDriver extends SqliteDriver {
  readonly #file: Connection;
  readonly #keepers: LogKeepers;
  readonly #look: SqliteFile['look'];
  readonly #waiting: (() => void)[] = [];
  #taken = false;
  /** The newest flush that is under way: everything committed so far is on disk when it ends. */
  #flushing: Promise<void> | null = null;
  #writer: DatabaseConnection | null = null;
  /** Commits of other processes as they were last looked at, and when they were others than before. */
  readonly #abroad: { commits: number | null; since: number } = { commits: null, since: Number.NEGATIVE_INFINITY };
  readonly #inTransaction = new WeakSet<DatabaseConnection>();

  constructor(file: Connection, keepers: LogKeepers, look: SqliteFile['look']) {
    super({ database: file });
    this.#file = file;
    this.#keepers = keepers;
    this.#look = look;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#writer ??= await super.acquireConnection();
    const writer = this.#writer;
    const connection: DatabaseConnection = {
      executeQuery: <R>(query: CompiledQuery) =>
        this.#inTransaction.has(connection) ? writer.executeQuery<R>(query) : this.#single<R>(writer, query),
      streamQuery: () => {
        throw new Error('rows are read all at once here');
      },
    };
    return connection;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#turn();
    this.#inTransaction.add(connection);
    await super.beginTransaction(connection);
  }

  /** A full disk ends the transaction by itself: then its own error is the one to tell, not that of a second end. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#file.isTransaction()) await super.rollbackTransaction(connection);
  }

  /**
   * Lets the next user begin, and answers this one when all that he wrote or can have read is on disk: a save that finds
   * the same answer stored is as good as written only when that one cannot be lost any more.
   */
  override async releaseConnection(connection?: DatabaseConnection): Promise<void> {
    if (connection && this.#inTransaction.delete(connection)) await this.#endTurn();
    await this.#flushing;
  }

  async #single<R>(writer: DatabaseConnection, query: CompiledQuery): Promise<QueryResult<R>> {
    if (onlyReads(query.sql)) return { rows: this.#look(query.sql, query.parameters) as R[] };
    const began = performance.now();
    for (;;) {
      await this.#turn();
      try {
        return await writer.executeQuery<R>(query);
      } catch (error) {
        if (!isSqliteBusy(error) || performance.now() - began > SINGLE_PATIENCE) throw error;
      } finally {
        await this.#endTurn();
      }
      await new Promise((wake) => setTimeout(wake, HELD_PAUSE));
    }
  }

  /** One user after the other, in the order in which they came. */
  async #turn(): Promise<void> {
    if (this.#taken) await new Promise<void>((turn) => this.#waiting.push(turn));
    this.#taken = true;
  }

  async #endTurn(): Promise<void> {
    try {
      if (this.#file.takeUnflushed()) this.#flush();
      // Looked at each time, so that the first commit of another process is noticed.
      const isAlone = this.#isAlone();
      if (isAlone && this.#keepers.checkpointer.finishDue()) {
        await this.#flushing;
        await this.#keepers.checkpointer.finish();
      }
    } finally {
      const turn = this.#waiting.shift();
      if (turn) turn();
      else this.#taken = false;
    }
  }

  /** Whether no other process has written for a while. */
  #isAlone(): boolean {
    const now = performance.now();
    let commits: number;
    try {
      commits = this.#keepers.commitsAbroad();
    } catch {
      // What was committed is not told as failed for it.
      return false;
    }
    if (this.#abroad.commits !== null && commits !== this.#abroad.commits) this.#abroad.since = now;
    this.#abroad.commits = commits;
    return now - this.#abroad.since > ALONE_FOR;
  }

  #flush(): void {
    const { flusher, checkpointer } = this.#keepers;
    const own = flusher.flush().then(() => {
      if (this.#flushing === own) this.#flushing = null;
      checkpointer.committed(flusher.size);
    });
    // Whoever waits for it hears of a failure.
    own.catch(() => undefined);
    this.#flushing = own;
  }
}

/**
 * A database holds phones and password hashes: its files are read and written by the server's account alone (mode 0600),
 * also those that an earlier version made. SQLite gives what it makes beside a database the mode of that database.
 */
export function forOwnerAlone(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    try {
      chmodSync(file, 0o600);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : '';
      // Not there yet; or another account's, which that one has to close. A file system without modes says nothing.
      if (code !== 'ENOENT' && code !== 'EPERM') throw error;
    }
  }
}

interface Connection extends SqliteDatabase {
  prepare(text: string): ReturnType<typeof wrap>;
  exec(text: string): void;
  isTransaction(): boolean;
  /** How the file is kept whole: 'wal' where the file system allows it. */
  journal(): string;
  /** Whether something was committed since it was last asked. */
  takeUnflushed(): boolean;
}

/** Statements that change nothing. All others are taken for a change: one flush too many does no harm. */
const NO_CHANGE = /^\s*(select|explain|begin|rollback|savepoint|release|pragma \w+\s*$)/i;

function connect(path: string, busyMs: number, readOnly: boolean): Connection {
  const db = new DatabaseSync(path, { timeout: busyMs, readOnly });
  if (!readOnly) db.exec('pragma journal_mode = wal');
  db.exec('pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -65536');
  const kept = new Map<string, ReturnType<typeof wrap>>();
  let unflushed = false;
  /** Whether something was written since the last commit. */
  let changed = false;
  return {
    close: () => db.close(),
    exec: (text) => db.exec(text),
    isTransaction: () => db.isTransaction,
    journal: () => String(db.prepare('pragma journal_mode').get()?.journal_mode),
    takeUnflushed: () => {
      const taken = unflushed;
      unflushed = false;
      return taken;
    },
    prepare(text) {
      const known = kept.get(text);
      if (known) return known;
      const after = () => {
        if (text !== 'commit') changed = true;
        // Committed, by `commit` or by itself.
        if (db.isTransaction) return;
        unflushed ||= changed;
        changed = false;
      };
      // A transaction takes the write lock at once: a deferred one can fail half-way when another process wrote first.
      const statement = wrap(
        db.prepare(text === 'begin' ? 'begin immediate' : text),
        NO_CHANGE.test(text) || onlyReads(text) ? undefined : after,
      );
      if (kept.size >= KEPT_STATEMENTS) kept.delete(kept.keys().next().value ?? '');
      kept.set(text, statement);
      return statement;
    },
  };
}

function wrap(statement: StatementSync, after?: () => void) {
  const values = (parameters: ReadonlyArray<unknown>) => parameters as SQLInputValue[];
  const columnNames = () => statement.columns().map((column) => column.name);
  let names = columnNames();
  // Rows come as arrays and are named here: the objects that Node makes of rows are slow to make and slow to read.
  statement.setReturnArrays(true);
  return {
    reader: names.length > 0,
    all: (parameters: ReadonlyArray<unknown>) => {
      const rows = statement.all(...values(parameters)) as unknown as unknown[][];
      after?.();
      // A table that got a column since: SQLite has prepared a `select *` anew.
      if (rows.length > 0 && rows[0]?.length !== names.length) names = columnNames();
      return rows.map((row) => named(names, row));
    },
    run: (parameters: ReadonlyArray<unknown>) => {
      const done = statement.run(...values(parameters));
      after?.();
      return done;
    },
    iterate: function* (parameters: ReadonlyArray<unknown>): IterableIterator<unknown> {
      for (const row of statement.iterate(...values(parameters))) yield named(names, row as unknown as unknown[]);
    },
  };
}

function named(names: readonly string[], row: readonly unknown[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (let at = 0; at < names.length; at += 1) object[names[at] ?? ''] = row[at];
  return object;
}

/** Whether an error says that another process holds SQLite's write lock. */
export function isSqliteBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    (error.errcode === 5 || error.errcode === 517 || error.errcode === 261)
  );
}
