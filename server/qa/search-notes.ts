import type { Db } from '#server/db/open.ts';
import { type NotedSearch, noteSearches } from './find-store.ts';

/** Notes that may wait: some minutes of a school in which everybody searches at once. One more is left out. */
const MOST_WAITING = 5000;
/** Notes in one transaction, so that nobody waits long behind it. */
const AT_ONCE = 200;

/** What people found something with, on its way to the hot keys. */
export interface SearchNotes {
  add(search: NotedSearch): void;
  /** Writes what has come since it was last written. */
  write(): Promise<void>;
}

/**
 * Keeps notes of searches until a chore writes them, many at a time. Written at each search, a page that only reads waited for
 * the disk, and behind whoever wrote; and all who look for one word wait for its one row. What is not written when
 * the process ends, or cannot be written, is left out: a count of what is looked for is worth nobody's wait.
 */
export function searchNotes(db: Pick<Db, 'transaction'>): SearchNotes {
  /** Each person once for each keyword. */
  let waiting = new Map<string, NotedSearch>();
  return {
    add: (search) => {
      if (waiting.size < MOST_WAITING) waiting.set(`${search.userId} ${search.keyword}`, search);
    },
    write: async () => {
      const notes = [...waiting.values()];
      waiting = new Map();
      for (let from = 0; from < notes.length; from += AT_ONCE) {
        const some = notes.slice(from, from + AT_ONCE);
        await db.transaction((trx) => noteSearches(trx, some), { idempotent: () => true });
      }
    },
  };
}
