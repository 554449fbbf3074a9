import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { pino } from 'pino';
import { type DbTarget, openDb } from '#server/db/open.ts';
import { jobWorker } from './worker.ts';

/** Starts a process that takes one job of the kind `test` and never ends it. @returns once it holds it; `kill` as a power cut would */
export async function startHolder(target: DbTarget, now: number): Promise<{ kill(): Promise<void> }> {
  const child = spawn(process.execPath, [import.meta.filename, JSON.stringify(target), String(now)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  await Promise.race([
    once(child.stdout, 'data'),
    gone.then(() => Promise.reject(new Error('the process took no job'))),
  ]);
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

if (import.meta.main) {
  const [, , target = '', now = ''] = process.argv;
  const db = await openDb(JSON.parse(target) as DbTarget, Number(now));
  const forever = setInterval(() => undefined, 1000);
  const { chores } = jobWorker({ db, clock: () => Number(now), log: pino(), random: randomBytes }, [
    {
      kind: 'test',
      mostAttempts: 3,
      run: async () => {
        process.stdout.write('holds\n');
        await new Promise(() => forever);
        return async () => undefined;
      },
    },
  ]);
  await chores[0]?.run(Number(now));
}
