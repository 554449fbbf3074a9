import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * A thread that copies SQLite's log back into the database file: the slow part of keeping a database, done where nobody
 * waits for it. PASSIVE never holds up readers or writers (sqlite.org/pragma.html#pragma_wal_checkpoint).
 */
const db = new DatabaseSync(String(workerData), { timeout: 1000 });
db.exec('pragma wal_autocheckpoint = 0');
const checkpoint = db.prepare('pragma wal_checkpoint(passive)');

parentPort?.on('message', () => {
  // Pages in the log after this pass, whether they have been copied or not; -1 when the log is not in use.
  const row = checkpoint.get() as { log: number } | undefined;
  parentPort?.postMessage(row?.log ?? -1);
});
