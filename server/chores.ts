import type { Logger } from 'pino';
import type { Troubles } from './db/troubles.ts';

/** Work that time does: each tick claims what is due in the database, so any number of processes can run it. */
export interface Chore {
  name: string;
  /** Milliseconds between the end of one run and the start of the next. */
  every: number;
  /** Does what is due at `now`, a time that is sure: what a chore closes or deletes does not come back. */
  run(now: number): Promise<void>;
}

/** Gives the time if it is beyond doubt, else null. */
type SureTime = () => Promise<number | null>;

/** Runs a chore once, unless the time is in doubt: then it waits for its next turn (decisions §3 "A wrong clock"). */
export async function runOnce(chore: Chore, sureTime: SureTime): Promise<void> {
  const now = await sureTime();
  if (now !== null) await chore.run(now);
}

/**
 * Runs chores in the background until stopped. A chore that fails is logged and runs again at its next turn; what is the
 * database's trouble is said with that of the calls.
 */
export function runChores(
  chores: readonly Chore[],
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
  const loops = chores.map(async (chore) => {
    while (!stopped) {
      try {
        await runOnce(chore, sureTime);
      } catch (error) {
        const trouble = troubles.note(error, chore.name, (line) => log.error(line, 'the database is in trouble'));
        if (trouble === null) log.error({ err: error, chore: chore.name }, 'chore failed');
      }
      if (!stopped) await rest(chore.every);
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
