import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Db, type DbTarget, openDb } from '#server/db/open.ts';
import { localFiles } from '#server/files.ts';
import { importQuestions } from './questions.ts';

/**
 * Imports a file into the pack `killed` in a process of its own, which is killed at its nth transaction, as a power cut would: with all that
 * the transaction has written, before it is committed.
 * @returns whether it came to its end before
 */
export async function importKilled(target: DbTarget, folder: string, file: string, at: number): Promise<boolean> {
  const child = spawn(
    process.execPath,
    [import.meta.filename, JSON.stringify(target), join(folder, 'files'), file, String(at)],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`the import ended with ${code}`);
  return code === 0;
}

/** The database, which dies in its nth transaction. */
function mortal(db: Db, at: number): Db {
  let count = 0;
  return {
    ...db,
    transaction: (work, how) =>
      db.transaction(async (trx) => {
        const done = await work(trx);
        count += 1;
        if (count === at) process.kill(process.pid, 'SIGKILL');
        return done;
      }, how),
  };
}

if (import.meta.main) {
  const [, , target = '', files = '', file = '', at = ''] = process.argv;
  const db = await openDb(JSON.parse(target) as DbTarget, Date.now());
  await importQuestions(mortal(db, Number(at)), { file, files: localFiles(files), pack: 'killed', packName: '包' });
  await db.close();
}
