import type { Chore } from '#server/chores.ts';
import type { ExamParts } from '../parts.ts';
import { deleteOwnPapers, oldestKeptPaper, unbegunPapers } from './own-paper-store.ts';

/** How long an own paper waits to be begun. */
const WAITS = 24 * 60 * 60 * 1000;
/** Papers deleted in one transaction: saves get in between. */
const AT_ONCE = 200;

/**
 * Deletes own papers that were made and never begun. A server looks at all of them once and then at those that have waited long
 * enough since its last run: what was begun stays, however much of it there is, and what its maker was kept from beginning by an exam waits as long after
 * its end. Harmless in any number of processes.
 */
export function deleteUnbegunChore({ db }: Pick<ExamParts, 'db'>): Chore {
  let from = 0;
  return {
    name: 'exam: delete own papers that nobody began',
    every: 10 * 60 * 1000,
    run: async (now) => {
      const until = now - WAITS;
      for (;;) {
        const found = await unbegunPapers(db.query, { from, until, most: AT_ONCE });
        const gone = await db.transaction((trx) => deleteOwnPapers(db, trx, found));
        // Those that are being begun at this moment are left to that.
        if (found.length < AT_ONCE || gone === 0) break;
      }
      from = (await oldestKeptPaper(db.query, { from, until })) ?? Math.max(from, until);
    },
  };
}
