import { setImmediate } from 'node:timers/promises';
import type { University } from '#contract/university.ts';
import type { Listed } from '#rules/university/search.ts';
import type { Parts } from '#server/parts.ts';
import { readAlias, readName } from '#server/reading.ts';
import { allUniversities, universitiesVersion } from './store.ts';

/** A university as lists and suggestions are made of it. */
interface ListedUniversity extends Listed {
  brief: University;
}

/** All universities of this installation, in memory: a few thousand at most, asked with every key that is typed. */
export interface AllUniversities {
  /** In the order of the list. */
  list: readonly ListedUniversity[];
  byId: ReadonlyMap<number, ListedUniversity>;
  /** The university by the address of its mark. */
  marks: ReadonlyMap<string, string>;
}

/** Milliseconds for which nobody asks the database whether the list has changed. */
const FRESH = 1000;
/** Universities read into memory between two turns of the event loop: finding out pinyin takes a while. */
const SLICE = 40;

/**
 * Keeps the universities in memory and reads them anew when their version in the database has changed, whichever process
 * changed it: an import is seen everywhere within a second.
 */
export function keepUniversities({ db, clock }: Pick<Parts, 'db' | 'clock'>): () => Promise<AllUniversities> {
  let inMemory: { version: string; all: AllUniversities } | null = null;
  let askedAt = 0;
  let reading: Promise<AllUniversities> | null = null;

  async function read(): Promise<AllUniversities> {
    const asked = clock();
    // The version first: rows that change in between are then read once too often, never once too seldom.
    const version = await universitiesVersion(db.query);
    if (inMemory?.version !== version) inMemory = { version, all: await intoMemory(await allUniversities(db.query)) };
    askedAt = asked;
    return inMemory.all;
  }

  return async () => {
    // A clock that was set back must not keep an old list for as long as it was set back.
    if (inMemory && Math.abs(clock() - askedAt) < FRESH) return inMemory.all;
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  };
}

async function intoMemory(rows: readonly { brief: University; aliases: string[] }[]): Promise<AllUniversities> {
  const list: ListedUniversity[] = [];
  for (const { brief, aliases } of rows) {
    const { id, prov, city, is985, is211, isDfc } = brief;
    const name = readName(brief.name);
    list.push({
      id,
      prov,
      city,
      is985,
      is211,
      isDfc,
      brief,
      name,
      aliases: aliases.map((alias) => readAlias(alias, name)),
    });
    if (list.length % SLICE === 0) await setImmediate();
  }
  return {
    list,
    byId: new Map(list.map((university) => [university.id, university])),
    marks: new Map(list.map(({ brief }) => [brief.logoUrl, brief.name] as const).filter(([url]) => url !== '')),
  };
}
