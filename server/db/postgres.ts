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

  add(text: string): void {
    if (!this.#names.has(text)) this.#names.set(text, `lixue_${this.#names.size + 1}`);
  }

  get(text: string): string | undefined {
    return this.#names.get(text);
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
    #beginning: Promise<unknown> | null = null;

    override query(text: never, ...rest: never[]): never {
      return this.#ask(text, rest) as never;
    }

    #ask(text: unknown, rest: never[]): unknown {
      if (text === 'begin') {
        this.#beginning = super.query('begin');
        // Whoever asks first in the transaction hears of it.
        this.#beginning.catch(() => undefined);
        return Promise.resolve(BEGUN);
      }
      const beginning = this.#beginning;
      this.#beginning = null;
      if (beginning === null) return this.#send(text, rest);
      // A question that only reads does no harm where its transaction could not begin.
      if (typeof text === 'string' && onlyReads(text)) {
        const answer = this.#send(text, rest);
        answer.catch(() => undefined);
        return beginning.then(() => answer);
      }
      return beginning.then(() => this.#send(text, rest));
    }

    #send(text: unknown, rest: never[]): Promise<unknown> {
      const name = typeof text === 'string' ? names.get(text) : undefined;
      return super.query((name === undefined ? text : { name, text }) as never, ...rest) as never as Promise<unknown>;
    }
  }
  return PreparingClient as unknown as typeof pg.Client;
}
