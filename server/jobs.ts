import type { Logger } from 'pino';
import type { Troubles } from './db/troubles.ts';

/** Work that time does: each tick claims what is due in the database, so any number of processes can run it. */
export interface Job {
  name: string;
  /** Milliseconds between the end of one run and the start of the next. */
  every: number;
  /** Does what is due at `now`, a time that is sure: what a job closes or deletes does not come back. */
  run(now: number): Promise<void>;
}

/** Gives the time if it is beyond doubt, else null. */
type SureTime = () => Promise<number | null>;

/** Runs a job once, unless the time is in doubt: then it waits for its next turn (decisions §3 "A wrong clock"). */
export async function runOnce(job: Job, sureTime: SureTime): Promise<void> {
  const now = await sureTime();
  if (now !== null) await job.run(now);
}

/**
 * Runs jobs in the background until stopped. A job that fails is logged and runs again at its next turn; what is the
 * database's trouble is said with that of the calls.
 */
export function runJobs(
  jobs: readonly Job[],
  { sureTime, log, troubles }: { sureTime: SureTime; log: Logger; troubles: Troubles },
): { stop(): Promise<void> } {
  let stopped = false;
  const wakes = new Set<() => void>();
  const rest = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        wakes.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      wakes.add(wake);
    });
  const loops = jobs.map(async (job) => {
    while (!stopped) {
      try {
        await runOnce(job, sureTime);
      } catch (error) {
        const trouble = troubles.note(error, job.name, (line) => log.error(line, 'the database is in trouble'));
        if (trouble === null) log.error({ err: error, job: job.name }, 'job failed');
      }
      if (!stopped) await rest(job.every);
    }
  });
  return {
    stop: async () => {
      stopped = true;
      for (const wake of [...wakes]) wake();
      await Promise.all(loops);
    },
  };
}
