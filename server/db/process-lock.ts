import { DatabaseSync } from 'node:sqlite';
import { isSqliteBusy } from './sqlite.ts';

/** Kept here: a lock that nobody holds on to would be collected and given back. */
const held = new Set<DatabaseSync>();

/**
 * Takes a lock of the operating system on an empty file, through SQLite, so that it ends with the process however that ends: no stale
 * file, no process id. @returns the function that gives it back; null when somebody else holds it
 */
export function takeLock(path: string): (() => void) | null {
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    // The journal in memory: nothing is ever written, so there is nothing to leave behind either.
    db.exec('pragma journal_mode = memory; begin exclusive');
    held.add(db);
    return () => {
      if (held.delete(db)) db.close();
    };
  } catch (error) {
    db.close();
    if (isSqliteBusy(error)) return null;
    throw error;
  }
}
