import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { UnsentAnswer } from './answers-state.ts';

interface Row extends UnsentAnswer {
  studentId: number;
  recordId: number;
  /** Device time of the change. */
  at: number;
  /** Whose it is, so that it can be sent without opening the exam. */
  from?: Origin;
}
/** The exam and the window that an answer was given in. */
interface Origin {
  examId: number;
  windowId: string;
}
/** An answer that stayed behind in this browser. */
export type Left = UnsentAnswer & Origin & Pick<Row, 'recordId' | 'at'>;

interface Schema extends DBSchema {
  unsent: { key: [number, number, number]; value: Row };
}

/** Milliseconds after which answers of a record that nobody came back to are thrown away: half a year. */
const FORGOTTEN = 183 * 86_400_000;

/** Answers of one person and record that the server has not acknowledged, on this browser's own disk. */
export interface UnsentStore {
  /** False in browsers that have no database for this page (some private windows): answers live in this page only. */
  readonly lasting: boolean;
  /** Resolves when the answer is stored. An older one never replaces a newer one. */
  put(answer: UnsentAnswer): Promise<void>;
  /** Removes the answer with this number or an older one; a newer one stays. */
  remove(answer: UnsentAnswer): Promise<void>;
  all(): Promise<UnsentAnswer[]>;
  /** Forgets everything of this record. */
  clear(): Promise<void>;
}

/** Milliseconds that anything waits for the browser's database. */
const PATIENCE = 1000;

/**
 * What `work` with the store gives, or `otherwise` when it fails or takes longer than a second. A full disk must not
 * stop an exam, and in some browsers (Safari) a database can hang: then all goes on as with one that lives in memory.
 */
export function atMostASecond<T, O>(work: Promise<T>, otherwise: O): Promise<T | O> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, PATIENCE, otherwise);
    work
      .catch(() => otherwise)
      .then((done) => {
        clearTimeout(late);
        resolve(done);
      });
  });
}

let opened: Promise<IDBPDatabase<Schema> | null> | null = null;

function database(): Promise<IDBPDatabase<Schema> | null> {
  // Where the browser has no database at all, opening it throws.
  opened ??= new Promise<IDBPDatabase<Schema>>((resolve) => resolve(open())).catch(() => null);
  return opened;
}

function open(): Promise<IDBPDatabase<Schema>> {
  return openDB<Schema>('lixue-exam', 1, {
    upgrade: (db) => {
      db.createObjectStore('unsent', { keyPath: ['studentId', 'recordId', 'questionId'] });
    },
    // Another tab of a newer version waits for this one: let it go on, and open again when needed.
    blocking: (_now, _blocked, event) => {
      (event.target as IDBDatabase).close();
      opened = null;
    },
    terminated: () => {
      opened = null;
    },
  });
}

/**
 * The store of one person and record. Falls back to memory where the browser has no database, or none that answers
 * within a second; `lasting` says so. `from` is told by the window that answers.
 */
export async function openUnsent(studentId: number, recordId: number, from?: Origin): Promise<UnsentStore> {
  return (await atMostASecond(openDisk(studentId, recordId, from), null)) ?? memoryStore();
}

/** Every answer of one person that stayed behind in this browser, of all records; none without a database. */
export async function leftBehind(studentId: number): Promise<Left[]> {
  const db = await atMostASecond(database(), null);
  const rows = (await db?.getAll('unsent', IDBKeyRange.bound([studentId], [studentId, []]))) ?? [];
  return rows.flatMap(({ from, ...row }) => (from ? [{ ...row, ...from }] : []));
}

async function openDisk(studentId: number, recordId: number, from?: Origin): Promise<UnsentStore> {
  const store = diskStore(studentId, recordId, from);
  await store.all();
  void sweep();
  return store;
}

function diskStore(studentId: number, recordId: number, from?: Origin): UnsentStore {
  // One after the other, so that a removal never overtakes the write it belongs to.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T> => {
    const done = last.then(async () => {
      const db = await database();
      if (db === null) throw new Error('the browser closed its database');
      return work(db);
    });
    last = done.catch(() => undefined);
    return done;
  };
  const range = () => IDBKeyRange.bound([studentId, recordId], [studentId, recordId, []]);
  return {
    lasting: true,
    put: (answer) =>
      inTurn(async (db) => {
        // The screen shows the choice first.
        await nextTask();
        const write = db.transaction('unsent', 'readwrite');
        const there = await write.store.get([studentId, recordId, answer.questionId]);
        const adopted = there?.seq === answer.seq && from !== undefined && there.from?.windowId !== from.windowId;
        if (!there || there.seq < answer.seq || adopted) {
          await write.store.put({ ...answer, studentId, recordId, at: Date.now(), ...(from ? { from } : {}) });
        }
        await write.done;
      }),
    remove: (answer) =>
      inTurn(async (db) => {
        const write = db.transaction('unsent', 'readwrite');
        const there = await write.store.get([studentId, recordId, answer.questionId]);
        if (there && there.seq <= answer.seq) await write.store.delete([studentId, recordId, answer.questionId]);
        await write.done;
      }),
    all: () =>
      inTurn(async (db) =>
        (await db.getAll('unsent', range())).map(({ questionId, answer, seq }) => ({ questionId, answer, seq })),
      ),
    clear: () => inTurn((db) => db.delete('unsent', range())),
  };
}

/** Resolves in a task of its own, which a browser runs after the frame that answers a click. Not a timer: those sleep in the background. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** The same without a disk. */
export function memoryStore(): UnsentStore {
  const rows = new Map<number, UnsentAnswer>();
  return {
    lasting: false,
    async put(answer) {
      if ((rows.get(answer.questionId)?.seq ?? 0) < answer.seq) rows.set(answer.questionId, answer);
    },
    async remove({ questionId, seq }) {
      if ((rows.get(questionId)?.seq ?? 0) <= seq) rows.delete(questionId);
    },
    all: async () => [...rows.values()],
    async clear() {
      rows.clear();
    },
  };
}

/** Throws away what was forgotten long ago. */
async function sweep(): Promise<void> {
  const db = await database();
  if (db === null) return;
  const write = db.transaction('unsent', 'readwrite');
  for await (const cursor of write.store) {
    if (cursor.value.at < Date.now() - FORGOTTEN) await cursor.delete();
  }
  await write.done;
}
