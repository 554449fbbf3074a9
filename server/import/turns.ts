import { setTimeout as pause } from 'node:timers/promises';
import { timeNow } from '#server/db/clock.ts';
import type { Db, Query, Trx } from '#server/db/open.ts';
import { type ImportHold, keepHold } from '#server/exam/paper/question-import-store.ts';

/** How an import writes: in many short transactions, or in one that may be taken back. */
export interface Turns {
  query: Query;
  turn<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
}

/**
 * Between two turns, so that on SQLite, where one writes at a time, a save that waits gets its own: it looks every 25 ms
 * whether it may (`HELD_PAUSE` of db/open.ts) (milliseconds).
 */
const REST = 30;

/** Short transactions of an import, which say each time that it is still ours. PostgreSQL needs no rests: what is saved meanwhile waits for nobody. */
export function shortTurns(db: Db, hold: ImportHold): Turns {
  return {
    query: db.query,
    turn: async (work) => {
      const now = await timeNow(db);
      const done = await db.transaction(
        async (trx) => {
          await keepHold(trx, hold, now);
          return work(trx);
        },
        { long: true },
      );
      if (db.kind === 'sqlite') await pause(REST);
      return done;
    },
  };
}

/** All turns in one transaction: for what is taken back, and for what may not be seen in parts. */
export const oneTurn = (trx: Trx): Turns => ({ query: trx, turn: (work) => work(trx) });
