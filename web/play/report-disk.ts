import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

interface Schema extends DBSchema {
  unsent: { key: string; value: string };
}

/** Where all of it stands. */
const ALL = 'all';
/** Milliseconds that anything waits for the browser's database: in some browsers it can hang. */
const PATIENCE = 1000;

let opened: Promise<IDBPDatabase<Schema> | null> | null = null;

function database(): Promise<IDBPDatabase<Schema> | null> {
  // Where the browser has no database at all, opening it throws.
  opened ??= new Promise<IDBPDatabase<Schema>>((resolve) =>
    resolve(
      openDB<Schema>('lixue-play', 1, {
        upgrade: (db) => {
          db.createObjectStore('unsent');
        },
        blocking: (_now, _blocked, event) => {
          (event.target as IDBDatabase).close();
          opened = null;
        },
        terminated: () => {
          opened = null;
        },
      }),
    ),
  ).catch(() => null);
  return opened;
}

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
