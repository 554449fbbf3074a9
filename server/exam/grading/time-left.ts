import type { ExamParts } from '../parts.ts';
import { endSooner } from './time-left-store.ts';

/**
 * Keeps to open records the time that they had left when the clock was set back by `by` milliseconds: their ends go back
 * with it, else an hour back would give everybody an hour. Records from before this server ran (`since`) were begun by
 * another clock, of which nothing is known: they keep their ends. Those that began since it was set back (`at`) began by the new one.
 *
 * Forward it is not so: a machine that was paused is set forward too, and then the time has passed. What is over by the
 * confirmed time is closed, and what was closed wrongly can be opened again (`reopen.ts`).
 */
export function timeLeftKeeper({
  db,
  clock,
  log,
}: Pick<ExamParts, 'db' | 'clock' | 'log'>): (by: number, since: number, at: number) => Promise<void> {
  return async (by, since, at) => {
    // Of several servers on one database each would do it (docs/gaps.md).
    if (db.kind === 'postgres') return;
    const moved = await db.transaction((trx) => endSooner(trx, { by, since, setBack: { from: at, to: clock() } }));
    if (moved > 0) log.warn({ records: moved, seconds: Math.round(by / 1000) }, 'ends of open records set back too');
  };
}
