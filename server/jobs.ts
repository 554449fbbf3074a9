import type { Logger } from 'pino';

/** Work that time does: each tick claims what is due in the database, so any number of processes can run it. */
export interface Job {
  name: string;
  /** Milliseconds between the end of one run and the start of the next. */
  every: number;
  run(): Promise<void>;
}

/** Runs jobs in the background until stopped. A job that fails is logged and runs again at its next turn. */
export function runJobs(jobs: readonly Job[], log: Logger): { stop(): Promise<void> } {
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
        await job.run();
      } catch (error) {
        log.error({ err: error, job: job.name }, 'job failed');
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
