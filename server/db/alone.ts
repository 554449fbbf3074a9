import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { type Db, takeLong } from './open.ts';
import { takeLock } from './process-lock.ts';
import { isSqliteBusy } from './sqlite.ts';

const NAME = 'server.lock';
/** How long a start waits for a server that is just ending (milliseconds): a service manager restarts without a gap. */
const WAIT = 2500;
const LOOK_EVERY = 50;

/**
 * Takes the sign that one server runs on a folder. Two servers on one SQLite file would write safely but not hear each
 * other: a window taken over at one would keep typing at the other. The sign is a lock that ends with the process (process-lock.ts).
 * The operator's command line works beside a server and takes none.
 * @returns the function that gives it back; null when another server holds it
 */
export async function serveAlone(dataDir: string, waitMs = WAIT): Promise<(() => void) | null> {
  mkdirSync(dataDir, { recursive: true });
  for (let waited = 0; ; waited += LOOK_EVERY) {
    const lock = take(dataDir);
    if (lock || waited >= waitMs) return lock;
    await new Promise((wake) => setTimeout(wake, LOOK_EVERY));
  }
}

const take = (dataDir: string) => takeLock(join(dataDir, NAME));

/** Whether a server runs on this SQLite folder now. Leaves no file behind where there was none. */
export function isServed(dataDir: string): boolean {
  let db: DatabaseSync;
  try {
    db = new DatabaseSync(join(dataDir, NAME), { timeout: 0, readOnly: true });
  } catch {
    return false;
  }
  try {
    db.prepare('select count(*) from sqlite_master').get();
    return false;
  } catch (error) {
    return isSqliteBusy(error);
  } finally {
    db.close();
  }
}

/** Any number that is no other lock's (`migrate.ts` has 7105141). */
const STARTING = 7105142;

/**
 * Runs what a start brings into the database while no other server does the same: of two that start on an empty one, the
 * second finds the work done. SQLite has only one server (`serveAlone`).
 */
export async function startingAlone(db: Db, work: () => Promise<void>): Promise<void> {
  if (db.kind === 'sqlite') return work();
  // The lock lives in a transaction of its own, so that it ends with this process however that ends.
  await db.query.transaction().execute(async (trx) => {
    await takeLong(trx, db.kind);
    await sql`select pg_advisory_xact_lock(${sql.lit(STARTING)})`.execute(trx);
    await work();
  });
}
