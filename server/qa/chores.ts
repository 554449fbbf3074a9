import type { Chore } from '#server/chores.ts';
import type { Parts } from '#server/parts.ts';
import { forgetSearches } from './find-store.ts';

const HOUR = 60 * 60 * 1000;
/** What was looked for counts as hot for so long. */
const KEPT = 14 * 24 * HOUR;
const AT_ONCE = 500;

/** Forgets what was looked for long ago. Harmless to repeat in any number of processes. */
export function qaChores({ db }: Pick<Parts, 'db'>): Chore[] {
  return [
    {
      name: 'forget old searches',
      every: HOUR,
      run: async (now) => {
        // In short transactions, so that nobody waits for it.
        for (let gone = AT_ONCE; gone === AT_ONCE; )
          gone = await db.transaction((trx) => forgetSearches(trx, now - KEPT, AT_ONCE));
      },
    },
  ];
}
