import type { EventEmitter } from 'node:events';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import { onlyReads } from './only-reads.ts';
import { DatabaseTrouble, isPlanGone, troubleOf } from './trouble.ts';

// Ids, counts and milliseconds are bigint columns; all of them are safe integers, and sum() gives numeric.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** How long anything may take at a PostgreSQL, in milliseconds. */
export interface PostgresLimits {
  /** For a connection to be made, or to become free. */
  connect: number;
  /** Without a word from the database on a question that it was asked: then the connection counts as dead. */
  silent: number;
  /** For one statement at the database; shorter than `silent`, so that a slow statement costs no connection. */
  statement: number;
  /** Waiting for one lock. */
  lock: number;
  /** Between two statements of a transaction: a server that freezes lets go of what it holds. */
  idleInTransaction: number;
}

/**
 * For what people wait for. A browser gives a call up after 20 s; within that a dead connection has to be noticed and
 * the question asked again on another one. No statement of theirs takes a tenth of a second.
 */
const SERVING: PostgresLimits = {
  connect: 4000,
  silent: 6000,
  statement: 5000,
  lock: 2000,
  idleInTransaction: 5000,
};

/** For migrations, imports and backups: a statement may have to go through a whole table, a lock may be an import's. */
const PATIENT: PostgresLimits = {
  connect: 15_000,
  silent: 660_000,
  statement: 600_000,
  lock: 300_000,
  idleInTransaction: 600_000,
};

/** Asked first in a transaction that takes long; the connection's client then waits as long too. */
export const TAKES_LONG = settingLimits(PATIENT, true);

/** A question that sets limits at the database, and has it end connections whose other side is gone without a word. */
function settingLimits({ statement, lock, idleInTransaction }: PostgresLimits, inTransaction: boolean): string {
  const set = (name: string, value: number) => `set_config('${name}', '${value}', ${inTransaction})`;
  const limits = [
    set('statement_timeout', statement),
    set('lock_timeout', lock),
    set('idle_in_transaction_session_timeout', idleInTransaction),
  ];
  // Seconds. A machine that lost its power holds its locks no longer than 25 s.
  const peer = [set('tcp_keepalives_idle', 10), set('tcp_keepalives_interval', 5), set('tcp_keepalives_count', 3)];
  return `select ${[...limits, ...(inTransaction ? [] : peer)].join(', ')}`;
}

/** After so long (milliseconds) without data the system asks whether the other side is there still. */
const KEEP_ALIVE_AFTER = 10_000;
/** How often a free connection is asked for anew while the database refuses one: it is starting again, most likely. */
const CONNECT_AGAIN_AFTER = 100;
/** At the end, a connection that does not answer the goodbye is cut off after this long (milliseconds). */
const CUT_OFF = 1000;

/** Names of the statements that every connection prepares once, by their text. */
export class StatementNames {
  readonly #names = new Map<string, string>();
  #made = 0;

  add(text: string): void {
    if (!this.#names.has(text)) this.renew(text);
  }

  get(text: string): string | undefined {
    return this.#names.get(text);
  }

  /** Gives a statement another name, under which every connection prepares it anew. */
  renew(text: string): void {
    this.#made += 1;
    this.#names.set(text, `lixue_${this.#made}`);
  }
}

/**
 * Kysely over PostgreSQL. `schema` puts every table into a schema of its own: some tests have one. Statements in
 * `names` are prepared once per connection. What one transaction asks at the same time goes out without waiting for the
 * answers before (pg's pipeline), which saves a round trip each. Every wait ends after `limits`.
 */
export function postgresDialect(
  url: string,
  schema: string | undefined,
  names: StatementNames = new StatementNames(),
  limits: PostgresLimits = SERVING,
): Dialect {
  return {
    createDriver: () => new SteadyDriver({ url, schema, names, limits }),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

interface Target {
  url: string;
  schema: string | undefined;
  names: StatementNames;
  limits: PostgresLimits;
}

function poolOf({ url, schema, names, limits }: Target, connections: Connections): pg.Pool {
  const setLimits = settingLimits(limits, false);
  const pool = new pg.Pool({
    Client: clientWith(names, connections),
    connectionString: url,
    max: 20,
    connectionTimeoutMillis: limits.connect,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER,
    pipeline: true,
    // Asked, not sent with the start of the connection: poolers refuse settings there that they do not know.
    onConnect: async (client: pg.ClientBase) => {
      await client.query(setLimits);
    },
    ...(schema ? { options: `-c search_path=${schema}` } : {}),
  });
  // A connection that the database ends (its restart, say) leaves the pool by itself, and whoever was using it gets the
  // error. Unheard, its event would end the process: the pool hears resting connections, the client those in use
  // between two questions.
  pool.on('error', () => undefined);
  return pool;
}

/**
 * Kysely's driver, for which a lost connection is no reason to fail where another one will do: the database is asked for
 * a connection until its limit, and a read beside transactions is asked again.
 */
class SteadyDriver extends PostgresDriver {
  readonly #connections: Connections;
  readonly #limits: PostgresLimits;
  readonly #known = new WeakSet<DatabaseConnection>();
  readonly #inTransaction = new WeakSet<DatabaseConnection>();
  /** Before the first connection nobody waits for one: the address may be wrong. */
  #wasThere = false;

  constructor(target: Target) {
    const connections = new Connections(target.limits.silent);
    super({ pool: async () => poolOf(target, connections) });
    this.#connections = connections;
    this.#limits = target.limits;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await this.#connect();
    if (!this.#known.has(connection)) {
      this.#known.add(connection);
      const ask = connection.executeQuery.bind(connection);
      connection.executeQuery = async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
        try {
          return await ask<R>(query);
        } catch (error) {
          if (this.#inTransaction.has(connection) || !onlyReads(query.sql) || troubleOf(error) !== 'cut') throw error;
          return this.#readAgain<R>(query);
        }
      };
    }
    return connection;
  }

  async #connect(): Promise<DatabaseConnection> {
    const began = performance.now();
    for (;;) {
      try {
        const connection = await super.acquireConnection();
        this.#wasThere = true;
        return connection;
      } catch (error) {
        if (!this.#wasThere) throw error;
        const trouble = troubleOf(error);
        const tooLate = performance.now() - began + CONNECT_AGAIN_AFTER > this.#limits.connect;
        if (trouble === null || trouble === 'full' || trouble === 'ill') throw error;
        // Whatever it is called by, nothing was asked on a connection that could not be had.
        if (tooLate) throw new DatabaseTrouble('away', 'the database gives no connection', error);
        await new Promise((wake) => setTimeout(wake, CONNECT_AGAIN_AFTER));
      }
    }
  }

  async #readAgain<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const other = await this.acquireConnection();
    // As in a transaction: a second loss is told.
    this.#inTransaction.add(other);
    try {
      return await other.executeQuery<R>(query);
    } finally {
      await this.releaseConnection(other);
    }
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    this.#inTransaction.add(connection);
    await super.beginTransaction(connection as never, settings);
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#inTransaction.delete(connection);
    await super.releaseConnection(connection as never);
  }

  override async destroy(): Promise<void> {
    const cutOff = setTimeout(() => this.#connections.cutOff(), CUT_OFF);
    try {
      await super.destroy();
    } finally {
      clearTimeout(cutOff);
      this.#connections.close();
    }
  }
}

/** A connection as it is watched. */
interface Watched {
  /** Milliseconds without an answer after which it counts as dead. */
  readonly patience: number;
  /** Since when an answer is owed without a word (`performance.now()`); null: none is. */
  readonly owedSince: number | null;
  /** When the database was last heard on it. */
  readonly heard: number;
  readonly inTransaction: boolean;
  kill(error: Error): void;
}

/** How often connections are looked at, as a part of the silence that they may keep. */
const LOOKS_IN_A_SILENCE = 10;

/**
 * Watches for connections that died without a word: a cable, a firewall or a machine that lost its power says nothing, and
 * the system would wait for a quarter of an hour. One timer for all, so that a question costs none.
 */
class Connections {
  readonly #all = new Set<Watched>();
  /** Milliseconds without a word that a connection may owe an answer. */
  readonly patience: number;
  #looks: NodeJS.Timeout | null = null;

  constructor(patience: number) {
    this.patience = patience;
  }

  add(connection: Watched): void {
    this.#all.add(connection);
    this.#looks ??= setInterval(() => this.#look(), this.patience / LOOKS_IN_A_SILENCE).unref();
  }

  delete(connection: Watched): void {
    this.#all.delete(connection);
    if (this.#all.size === 0) this.close();
  }

  close(): void {
    if (this.#looks) clearInterval(this.#looks);
    this.#looks = null;
  }

  cutOff(): void {
    for (const connection of [...this.#all]) connection.kill(new Error('Connection terminated'));
  }

  #look(): void {
    const now = performance.now();
    for (const dead of [...this.#all]) {
      const { owedSince } = dead;
      if (owedSince === null || now - owedSince < dead.patience) continue;
      // The connections at rest went the same way, most likely: each would take as long to show it.
      for (const other of [...this.#all]) {
        if (other.owedSince === null && !other.inTransaction && other.heard < owedSince) {
          other.kill(new DatabaseTrouble('cut', 'another connection to the database has died'));
        }
      }
      dead.kill(new DatabaseTrouble('cut', 'the database does not answer'));
    }
  }
}

const BEGUN = { command: 'BEGIN', rowCount: null, rows: [] };
const ROLLED_BACK = { command: 'ROLLBACK', rowCount: null, rows: [] };

/**
 * pg's client, which prepares the statements that have a name, and sends the beginning of a transaction together with its
 * first question. Kysely asks it with a text and its values alone. What it tells of a lost connection is the reason,
 * and whether a commit was under way.
 */
function clientWith(names: StatementNames, connections: Connections): typeof pg.Client {
  class PreparingClient extends pg.Client implements Watched {
    #beginning: { begun: Promise<unknown>; asked: boolean } | null = null;
    #lost: DatabaseTrouble | null = null;
    /** Questions without an answer. */
    #owed = 0;
    heard = performance.now();
    owedSince: number | null = null;
    inTransaction = false;
    patience = connections.patience;

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      this.on('error', (error) => {
        this.#lost ??=
          error instanceof DatabaseTrouble
            ? error
            : new DatabaseTrouble('cut', `connection lost: ${error.message}`, error);
        connections.delete(this);
      });
      (this as EventEmitter).on('connect', () => connections.add(this));
      this.on('end', () => connections.delete(this));
    }

    kill(error: Error): void {
      connections.delete(this);
      (this as unknown as { connection: { stream: { destroy(error: Error): void } } }).connection.stream.destroy(error);
    }

    override query(text: never, ...rest: never[]): never {
      return this.#ask(text, rest) as never;
    }

    #ask(text: unknown, rest: never[]): unknown {
      if (text === 'begin') {
        const beginning = { begun: this.#watched(text, []), asked: false };
        this.#beginning = beginning;
        this.inTransaction = true;
        const over = () => {
          if (this.#beginning === beginning) this.#beginning = null;
        };
        // Whoever asks in the transaction hears of a failure.
        beginning.begun.then(over, over);
        return Promise.resolve(BEGUN);
      }
      const beginning = this.#beginning;
      if (beginning === null) return this.#send(text, rest);
      const { begun, asked } = beginning;
      beginning.asked = true;
      // A question that only reads does no harm where its transaction could not begin.
      if (!asked && typeof text === 'string' && onlyReads(text)) {
        const answer = this.#send(text, rest);
        answer.catch(() => undefined);
        return begun.then(() => answer);
      }
      return begun.then(() => this.#send(text, rest));
    }

    async #send(text: unknown, rest: never[]): Promise<unknown> {
      if (text === 'commit' || text === 'rollback') return this.#end(text);
      if (text === TAKES_LONG) this.patience = PATIENT.silent;
      const name = typeof text === 'string' ? names.get(text) : undefined;
      if (name === undefined) return this.#watched(text, rest);
      try {
        return await this.#watched({ name, text }, rest);
      } catch (error) {
        if (isPlanGone(error)) names.renew(text as string);
        throw error;
      }
    }

    async #end(text: 'commit' | 'rollback'): Promise<unknown> {
      const lostBefore = this.#lost !== null;
      try {
        return await this.#watched(text, []);
      } catch (error) {
        if (troubleOf(error) !== 'cut') throw error;
        // A transaction whose connection is gone is rolled back; its own error is the one to tell.
        if (text === 'rollback') return ROLLED_BACK;
        if (lostBefore) throw error;
        throw new DatabaseTrouble('unsure', 'the connection was lost during a commit', error);
      } finally {
        this.inTransaction = false;
        this.patience = connections.patience;
      }
    }

    async #watched(question: unknown, rest: never[]): Promise<unknown> {
      if (this.#lost) throw this.#lost;
      this.#owed += 1;
      this.owedSince ??= performance.now();
      try {
        return await super.query(question as never, ...rest);
      } catch (error) {
        throw this.#lost && troubleOf(error) === null ? this.#lost : error;
      } finally {
        this.#owed -= 1;
        this.heard = performance.now();
        this.owedSince = this.#owed === 0 ? null : this.heard;
      }
    }
  }
  return PreparingClient as unknown as typeof pg.Client;
}
