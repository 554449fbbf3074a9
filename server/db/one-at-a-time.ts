import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { takeLock } from './process-lock.ts';
import type { Tables } from './schema.ts';
import { forOwnerAlone } from './sqlite.ts';
import { DatabaseTrouble } from './trouble.ts';

/** What somebody is told who has to wait, and what ends the waiting. */
interface Waits {
  /** Called at each look while somebody else is at work. */
  waiting?: (() => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Does work of which one is done at a time in an installation, by whichever process.
 * @param work gets what throws where it is not alone any more; to be asked inside of its transactions
 */
export type OneAtATime = <T>(how: Waits, work: (stillAlone: () => Promise<void>) => Promise<T>) => Promise<T>;

/** How often it is looked whether the one who is at work has ended (milliseconds). */
const LOOK_EVERY = 200;

/** On SQLite a lock of the process on an empty file beside the database: it ends with the process, and not before. */
export function oneOnFile(path: string): OneAtATime {
  return async ({ waiting, signal }, work) => {
    if (path === ':memory:' || path.startsWith('file:')) return work(async () => undefined);
    const file = `${path}-import.lock`;
    forOwnerAlone(file);
    let release = takeLock(file);
    for (; release === null; release = takeLock(file)) {
      waiting?.();
      await pause(LOOK_EVERY, undefined, { signal });
    }
    try {
      return await work(async () => undefined);
    } finally {
      release();
    }
  };
}

/** Any number that is no other lock's (`alone.ts` has 7105142). */
const ONE = sql.lit(7105143);
/** The installation, where several share a database. */
const HERE = sql`hashtext(current_schema())`;

/**
 * On PostgreSQL a lock of one transaction that stays open meanwhile, so that it ends with its connection and holds behind a pooler too. So
 * who has it asks that transaction in each of their own, behind a lock that the next one needs as well (the row of the pack): where it
 * answers, nobody else has begun. @param mayLast lets a transaction last longer than others may
 */
export function oneOnPostgres(query: Kysely<Tables>, mayLast: (trx: Kysely<Tables>) => Promise<void>): OneAtATime {
  return ({ waiting, signal }, work) =>
    query.transaction().execute(async (own) => {
      await mayLast(own);
      const take = sql<{ got: boolean }>`select pg_try_advisory_xact_lock(${ONE}, ${HERE}) as got`;
      while ((await take.execute(own)).rows[0]?.got !== true) {
        waiting?.();
        await pause(LOOK_EVERY, undefined, { signal });
      }
      const has = sql`select 1 from pg_locks where locktype = 'advisory' and classid = ${ONE} and pid = pg_backend_pid() and granted`;
      const stillAlone = async () => {
        const rows = await has.execute(own).then(
          (found) => found.rows,
          () => [],
        );
        if (rows.length === 0) throw new DatabaseTrouble('away', 'the connection that keeps others away was lost');
      };
      return work(stillAlone);
    });
}
