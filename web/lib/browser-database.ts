import { type DBSchema, type IDBPDatabase, type OpenDBCallbacks, openDB } from 'idb';

/**
 * A database of this browser's own disk (IndexedDB).
 * @param upgrade makes its stores
 * @returns what opens it when it is first needed; null where the browser gives none, which is asked again at the next use: a disk may have room later
 */
export function browserDatabase<S extends DBSchema>(
  name: string,
  upgrade: NonNullable<OpenDBCallbacks<S>['upgrade']>,
): () => Promise<IDBPDatabase<S> | null> {
  let opened: Promise<IDBPDatabase<S> | null> | null = null;
  const forget = () => {
    opened = null;
    return null;
  };
  const open = () =>
    openDB<S>(name, 1, {
      upgrade,
      // Another tab of a newer version waits for this one: let it go on, and open again when needed.
      blocking: (_now, _blocked, event) => {
        (event.target as IDBDatabase).close();
        forget();
      },
      terminated: () => void forget(),
    });
  // Where the browser has no database at all, opening it throws.
  return () => {
    opened ??= new Promise<IDBPDatabase<S>>((resolve) => resolve(open())).catch(forget);
    return opened;
  };
}
