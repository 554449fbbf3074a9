import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { onlyReads } from './only-reads.ts';

// Ids, counts and milliseconds are bigint columns; all of them are safe integers, and sum() gives numeric.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** Milliseconds until an address that does not answer counts as unreachable; also the longest wait for a free connection. */
const CONNECT_MS = 15_000;

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
 * Kysely over PostgreSQL. `schema` puts every table into a schema of its own: each test file has one. Statements in
 * `names` are prepared once per connection. What one transaction asks at the same time goes out without waiting for the
 * answers before (pg's pipeline), which saves a round trip each.
 */
export function postgresDialect(
  url: string,
  schema: string | undefined,
  names: StatementNames = new StatementNames(),
): PostgresDialect {
  return new PostgresDialect({
    pool: async () => {
      const pool = new pg.Pool({
        Client: clientWith(names),
        connectionString: url,
        max: 20,
        connectionTimeoutMillis: CONNECT_MS,
        pipeline: true,
        ...(schema ? { options: `-c search_path=${schema}` } : {}),
      });
      // A connection that the database ends (its restart, say) leaves the pool by itself, and whoever was using it gets the
      // error. Unheard, its event would end the process: the pool hears resting connections, the other line those in use
      // between two questions.
      pool.on('error', () => undefined);
      pool.on('connect', (client) => void client.on('error', () => undefined));
      return pool;
    },
  });
}

const BEGUN = { command: 'BEGIN', rowCount: null, rows: [] };

/**
 * pg's client, which prepares the statements that have a name, and sends the beginning of a transaction together with its
 * first question. Kysely asks it with a text and its values alone.
 */
function clientWith(names: StatementNames): typeof pg.Client {
  class PreparingClient extends pg.Client {
    #beginning: { begun: Promise<unknown>; asked: boolean } | null = null;

    override query(text: never, ...rest: never[]): never {
      return this.#ask(text, rest) as never;
    }

    #ask(text: unknown, rest: never[]): unknown {
      if (text === 'begin') {
        const beginning = { begun: super.query('begin'), asked: false };
        this.#beginning = beginning;
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
      const name = typeof text === 'string' ? names.get(text) : undefined;
      if (name === undefined) return super.query(text as never, ...rest);
      try {
        return await super.query({ name, text } as never, ...rest);
      } catch (error) {
        if (isPlanGone(error)) names.renew(text as string);
        throw error;
      }
    }
  }
  return PreparingClient as unknown as typeof pg.Client;
}

/**
 * Whether a prepared statement can be used no more: a column has another type since (0A000), or the connection's own
 * statements were thrown away, by a pooler for one (26000). Prepared under another name it works again.
 */
export function isPlanGone(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === '26000' || (error.code === '0A000' && error.message.includes('cached plan'));
}
