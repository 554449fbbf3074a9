import type { DBSchema } from 'idb';
import { browserDatabase } from '#web/lib/browser-database.ts';

interface Schema extends DBSchema {
  unsent: { key: string; value: string };
}

/** Where all of it stands. */
const ALL = 'all';
/** Milliseconds that anything waits for the browser's database: in some browsers it can hang. */
const PATIENCE = 1000;

const database = browserDatabase<Schema>('lixue-play', (db) => {
  db.createObjectStore('unsent');
});

let waits = false;
let last: Promise<unknown> = Promise.resolve();

/**
 * Copies what waits to be reported to this browser's disk at once. Chromium writes local storage seconds later, and not at all where it is
 * killed whole. Without a database there is no copy.
 * @param read what there is when its turn comes; null: nothing
 */
export function copyToDisk(read: () => string | null): void {
  if (waits) return;
  waits = true;
  const write = async () => {
    const db = await database();
    waits = false;
    const text = read();
    // On the disk itself, not in the memory of the machine, which a power cut empties.
    const change = db?.transaction('unsent', 'readwrite', { durability: 'strict' });
    if (change === undefined) return;
    await Promise.all([text === null ? change.store.delete(ALL) : change.store.put(text, ALL), change.done]);
  };
  last = last.then(write).catch(() => {
    waits = false;
  });
}

/** The copy that an earlier page left; null: there is none, or it does not come within a second. */
export async function readCopy(): Promise<string | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE, null));
  const read = database().then((db) => db?.get('unsent', ALL));
  return (await Promise.race([read.catch(() => null), late])) ?? null;
}
