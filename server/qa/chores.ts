import { termsOf } from '#rules/qa/terms.ts';
import type { Chore } from '#server/chores.ts';
import type { Trx } from '#server/db/open.ts';
import { readSetting, writeSetting } from '#server/db/settings-store.ts';
import { addTerms, forgetSearches } from './find-store.ts';
import type { QaParts } from './parts.ts';
import { readChildren, readEntries, threadsAfter } from './store.ts';

const HOUR = 60 * 60 * 1000;
/** What was looked for counts as hot for so long. */
const KEPT = 14 * 24 * HOUR;
const AT_ONCE = 200;
/** What is looked for is counted so much later at most. */
const NOTED_EVERY = 5000;

/** Up to which question everything said under it can be found: those from before answers could. */
const FOUND_UP_TO = 'qa.foundUpTo';
const ALL = 'all';

/** Makes questions findable by their answers, and those that only teachers see, which were not before. @returns whether any are left */
async function makeFindable(trx: Trx): Promise<boolean> {
  const upTo = await readSetting(trx, FOUND_UP_TO);
  if (upTo === ALL) return false;
  const threads = await threadsAfter(trx, Number(upTo ?? 0), AT_ONCE);
  const ids = threads.map(({ id }) => id);
  const questions = await readEntries(trx, ids);
  const children = await readChildren(trx, ids);
  for (const { id, pack_id } of threads) {
    const answers = children.filter((entry) => entry.thread_id === id && entry.kind === 'answer');
    const texts = [questions.get(id)?.feedback_desc ?? '', ...answers.map((entry) => entry.feedback_desc)];
    await addTerms(trx, pack_id, id, [...new Set(texts.flatMap(termsOf))]);
  }
  await writeSetting(trx, FOUND_UP_TO, String(ids.at(-1) ?? ALL));
  return ids.length > 0;
}

/** Counts what is looked for and forgets it in time, and makes findable what was said before it was. Harmless in any number of processes. */
export function qaChores({ db, searches }: Pick<QaParts, 'db' | 'searches'>): Chore[] {
  return [
    { name: 'note searches', every: NOTED_EVERY, run: () => searches.write() },
    {
      name: 'find in answers',
      every: HOUR,
      run: async () => {
        while (await db.transaction(makeFindable, { idempotent: () => true }));
      },
    },
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
