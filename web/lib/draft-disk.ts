import type { DBSchema, IDBPDatabase } from 'idb';
import { browserDatabase } from './browser-database.ts';
import { DRAFT_DISK, PATIENCE } from './draft-disk-name.ts';

interface Schema extends DBSchema {
  /** Drafts for which local storage has no room, by their name in it. */
  texts: { key: string; value: string };
  /** Pictures that have not arrived at the server, by the name of their draft. */
  pictures: { key: number; value: { name: string; file: File; keptAt: number }; indexes: { name: string } };
  /** When somebody last signed out in this browser, and who came after that. */
  who: { key: 'left' | 'came'; value: number };
}

/** A picture whose form nobody opens again goes after so long, in milliseconds. */
const KEPT = 7 * 24 * 60 * 60 * 1000;

const database = browserDatabase<Schema>(DRAFT_DISK, (db) => {
  db.createObjectStore('texts');
  db.createObjectStore('pictures', { autoIncrement: true }).createIndex('name', 'name');
  db.createObjectStore('who');
});

/** What comes of a piece of work on the database; null: there is none, it failed, or it does not come within a second. */
async function inTime<T>(work: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T | null> {
  let late: ReturnType<typeof setTimeout> | undefined;
  const waits = new Promise<null>((resolve) => {
    late = setTimeout(resolve, PATIENCE, null);
  });
  const done = database().then((db) => db && work(db));
  const outcome = await Promise.race([done.catch(() => null), waits]);
  clearTimeout(late);
  return outcome;
}

/** Who left this browser when and who came again, as far as the disk knows; 0: nobody. */
export interface Leaving {
  left: number;
  came: number;
}

const DRAFTS = ['texts', 'pictures', 'who'] as const;
/** Writes what belongs to a person, unless they have signed out by now. */
async function keep<T>(
  mayKeep: (leaving: Leaving) => boolean,
  work: (trx: ReturnType<typeof begin>) => Promise<T>,
): Promise<T | null> {
  return inTime(async (db) => {
    const trx = begin(db);
    const who = trx.objectStore('who');
    const may = mayKeep({ left: (await who.get('left')) ?? 0, came: (await who.get('came')) ?? 0 });
    const outcome = may ? await work(trx) : null;
    await trx.done;
    return outcome;
  });
}
const begin = (db: IDBPDatabase<Schema>) => db.transaction(DRAFTS, 'readwrite', { durability: 'strict' });

/** Every draft that is here, by its name; null: nobody knows. */
export function readTexts(): Promise<Map<string, string> | null> {
  return inTime(async (db) => {
    const { store } = db.transaction('texts');
    const [names, texts] = await Promise.all([store.getAllKeys(), store.getAll()]);
    return new Map(names.map((name, at) => [name, texts[at] ?? '']));
  });
}

/** Keeps a draft. @returns whether it is kept, or nobody is there any more for whom it would be */
export async function keepText(name: string, text: string, mayKeep: (leaving: Leaving) => boolean): Promise<boolean> {
  let gone = false;
  const kept = await keep(
    (leaving) => {
      gone = !mayKeep(leaving);
      return !gone;
    },
    async (trx) => {
      await trx.objectStore('texts').put(text, name);
      return true;
    },
  );
  return gone || kept === true;
}

/** Forgets a draft. */
export async function forgetText(name: string): Promise<void> {
  await inTime((db) => db.delete('texts', name));
}

/** Keeps a picture until it has arrived. @returns what names it here; null: it is not kept */
export function keepPicture(name: string, file: File, mayKeep: (leaving: Leaving) => boolean): Promise<number | null> {
  return keep(mayKeep, (trx) => trx.objectStore('pictures').add({ name, file, keptAt: Date.now() }));
}

/** The pictures of a draft that have not arrived, in the order in which they were chosen. Old ones of all drafts go. */
export async function readPictures(name: string): Promise<{ id: number; file: File }[]> {
  const found = await inTime(async (db) => {
    const trx = db.transaction('pictures', 'readwrite');
    const pictures: { id: number; file: File }[] = [];
    for (let at = await trx.store.openCursor(); at !== null; at = await at.continue()) {
      if (at.value.keptAt < Date.now() - KEPT) await at.delete();
      else if (at.value.name === name) pictures.push({ id: at.primaryKey, file: at.value.file });
    }
    await trx.done;
    return pictures;
  });
  return found ?? [];
}

/** Forgets a picture: it has arrived, or is not wanted. */
export async function forgetPicture(id: number): Promise<void> {
  await inTime((db) => db.delete('pictures', id));
}

/** Notes who signed in. */
export async function noteCame(owner: number): Promise<void> {
  await inTime((db) => db.put('who', owner, 'came'));
}

/** Forgets everything of everybody: somebody signed out at this time. */
export async function clearDisk(left: number): Promise<void> {
  await inTime(async (db) => {
    const trx = begin(db);
    await trx.objectStore('texts').clear();
    await trx.objectStore('pictures').clear();
    await trx.objectStore('who').delete('came');
    await trx.objectStore('who').put(left, 'left');
    await trx.done;
  });
}
