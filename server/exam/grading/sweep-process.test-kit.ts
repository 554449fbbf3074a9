import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type DbTarget, openDb } from '#server/db/open.ts';
import { assemble } from '#server/test-kit.ts';
import { SWEEP } from '../scene.test-kit.ts';

/** A process that runs one job on a database, the closing of overdue records if no other is named, and ends. */
interface SweepProcess {
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  /** Resolves to its exit code. */
  ended(): Promise<number | null>;
}

/**
 * Starts the job in a process of its own, which a test may kill, and resolves when it begins. A server that has just
 * started would wait for half a minute until its time is sure (decision 008).
 */
export async function startSweep(target: DbTarget, dataDir: string, job = SWEEP): Promise<SweepProcess> {
  const child: ChildProcess = spawn(process.execPath, [import.meta.filename, JSON.stringify(target), dataDir, job], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  await Promise.race([
    child.stdout ? once(child.stdout, 'data') : undefined,
    gone.then(() => Promise.reject(new Error('the sweep did not start'))),
  ]);
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
    ended: async () => {
      await gone;
      return child.exitCode;
    },
  };
}

if (import.meta.main) {
  const [, , target = '', dataDir = '', job = SWEEP] = process.argv;
  const open = () => openDb(JSON.parse(target) as DbTarget, Date.now());
  const kit = await assemble(await open(), dataDir, { now: Date.now() }, false, open);
  process.stdout.write('begins\n');
  await kit.chore(job);
  await kit.close();
}
