import { PostgresDialect } from 'kysely';
import pg from 'pg';

// Ids, counts and milliseconds are bigint columns; all of them are safe integers, and sum() gives numeric.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** Milliseconds until an address that does not answer counts as unreachable; also the longest wait for a free connection. */
const CONNECT_MS = 15_000;

/** Kysely over PostgreSQL. `schema` puts every table into a schema of its own: each test file has one. */
export function postgresDialect(url: string, schema?: string): PostgresDialect {
  return new PostgresDialect({
    pool: async () => {
      const pool = new pg.Pool({
        connectionString: url,
        max: 20,
        connectionTimeoutMillis: CONNECT_MS,
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
