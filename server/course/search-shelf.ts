import { setImmediate } from 'node:timers/promises';
import type { Candidate, Searchable } from '#rules/search/match.ts';
import type { Parts } from '#server/parts.ts';
import { readName } from '#server/reading.ts';
import { categoryNames } from './category.ts';
import { readCategories } from './category-store.ts';
import { readShelf } from './shelf-store.ts';
import { readTeacherNames } from './teacher-store.ts';

/** What packs on offer are found by, by their ids. */
export type SearchShelf = () => Promise<ReadonlyMap<number, Candidate>>;

/** Milliseconds for which nobody asks the database again. */
const FRESH = 1000;
/** Packs read between two turns of the event loop: finding out pinyin takes a while. */
const SLICE = 40;

/** Keeps what packs are found by in memory: it is asked with every key that is typed. */
export function keepSearchShelf({ db, clock }: Pick<Parts, 'db' | 'clock'>): SearchShelf {
  let kept: { at: number; all: ReadonlyMap<number, Candidate> } | null = null;
  let reading: Promise<ReadonlyMap<number, Candidate>> | null = null;
  /** Pinyin of texts that are in use. */
  let known = new Map<string, Searchable>();

  async function read(): Promise<ReadonlyMap<number, Candidate>> {
    const at = clock();
    const packs = await readShelf(db.query);
    const teachers = await readTeacherNames(db.query);
    const names = categoryNames(await readCategories(db.query));
    const used = new Map<string, Searchable>();
    const searchable = (text: string, make: () => Searchable) => {
      const ready = used.get(text) ?? known.get(text) ?? make();
      used.set(text, ready);
      return ready;
    };
    const all = new Map<number, Candidate>();
    for (const { packId, name, categoryId } of packs) {
      const whole = searchable(name, () => readName(name));
      const others = [...(names.get(categoryId ?? 0) ?? []), ...(teachers.get(packId) ?? [])];
      const aliases = others.map((text) => searchable(text, () => readName(text)));
      all.set(packId, { name: whole, aliases });
      if (all.size % SLICE === 0) await setImmediate();
    }
    known = used;
    kept = { at, all };
    return all;
  }

  return async () => {
    // A clock that was set back must not keep an old shelf for as long as it was set back.
    if (kept && Math.abs(clock() - kept.at) < FRESH) return kept.all;
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  };
}
