import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Db, type DbTarget, openDb } from '#server/db/open.ts';
import { localFiles } from '#server/files.ts';
import { importQuestions } from './questions.ts';

type Task = Pick<Parameters<typeof importQuestions>[1], 'file' | 'pack' | 'packName' | 'answer' | 'whole'>;

/**
 * Imports a file in a process of its own, which is killed at the end of its nth transaction, as a power cut would: with all that the
 * transaction has written, before it is committed.
 * @returns whether it came to its end before
 */
export async function importKilled(target: DbTarget, files: string, task: Task, at: number): Promise<boolean> {
  const child = spawn(
    process.execPath,
    [import.meta.filename, JSON.stringify(target), files, JSON.stringify(task), String(at)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`the import ended with ${code}`);
  return code === 0;
}

/** The database, with something that is done at the end of its nth transaction, before it is committed, or between two. */
export function watched(
  db: Db,
  { before, within }: { before?: (nth: number) => Promise<unknown>; within?: (nth: number) => void },
): Db {
  let count = 0;
  return {
    ...db,
    transaction: async (work, how) => {
      count += 1;
      const nth = count;
      await before?.(nth);
      return db.transaction(async (trx) => {
        const done = await work(trx);
        within?.(nth);
        return done;
      }, how);
    },
  };
}

if (import.meta.main) {
  const [, , target = '', files = '', task = '', at = ''] = process.argv;
  const db = await openDb(JSON.parse(target) as DbTarget, Date.now());
  const mortal = watched(db, {
    within: (nth) => {
      if (nth === Number(at)) process.kill(process.pid, 'SIGKILL');
    },
  });
  await importQuestions(mortal, { ...(JSON.parse(task) as Task), files: localFiles(files) });
  await db.close();
}
