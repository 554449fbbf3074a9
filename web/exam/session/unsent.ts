import type { DBSchema, IDBPDatabase } from 'idb';
import { browserDatabase } from '#web/lib/browser-database.ts';
import type { UnsentAnswer } from './answers-state.ts';

interface Row extends UnsentAnswer {
  studentId: number;
  recordId: number;
  /** Device time of the change. */
  at: number;
  /** Whose it is, so that it can be sent without opening the exam. */
  from?: Origin;
}
/** The exam and the window that an answer was given in, and the version of the paper that it was given under. */
interface Origin {
  examId: number;
  windowId: string;
  /** Left out by an earlier version of this program: the record's own is meant. */
  paperVersion?: number;
}
/** An answer that stayed behind in this browser. */
export type Left = UnsentAnswer & Origin & Pick<Row, 'recordId' | 'at'>;

interface Schema extends DBSchema {
  unsent: { key: [number, number, number]; value: Row };
}

/** Milliseconds after which answers of a record that nobody came back to are thrown away: half a year. */
const FORGOTTEN = 183 * 86_400_000;

/**
 * Answers of one person and record that the server has not acknowledged: on this browser's own disk, and what is not there in
 * the memory of this page.
 */
export interface UnsentStore {
  /**
   * Resolves to whether this answer, or a newer one, was read back from the disk: nothing less counts as kept. An older one
   * never replaces a newer one.
   */
  put(answer: UnsentAnswer): Promise<boolean>;
  /** Removes the answer with this number or an older one; a newer one stays. */
  remove(answer: UnsentAnswer): Promise<void>;
  /**
   * What is there of the paper that the store was opened for, of every one when it was opened for none. Of a disk that does
   * not answer within a second only what this page remembers.
   */
  all(): Promise<UnsentAnswer[]>;
  /** Forgets everything of this record. */
  clear(): Promise<void>;
}

/** Milliseconds that anything waits for the browser's database. */
export const PATIENCE = 1000;

/**
 * What `work` with the store gives, or `otherwise` when it fails or takes longer than a second. A full disk must not
 * stop an exam, and in some browsers (Safari) a database can hang: then all goes on as with one that lives in memory.
 */
export function atMostASecond<T, O>(work: Promise<T>, otherwise: O): Promise<T | O> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, PATIENCE, otherwise);
    void work
      .catch(() => otherwise)
      .then((done) => {
        clearTimeout(late);
        resolve(done);
      });
  });
}

const database = browserDatabase<Schema>('lixue-exam', (db) => {
  db.createObjectStore('unsent', { keyPath: ['studentId', 'recordId', 'questionId'] });
});

/** What this page remembers because no disk holds it, by person and record: another screen of the page finds it too. */
const inPage = new Map<string, Map<number, UnsentAnswer>>();

/** The store of one person and record. `from` is told by the window that answers. */
export function openUnsent(studentId: number, recordId: number, from?: Origin): UnsentStore {
  const name = `${studentId} ${recordId}`;
  const rows = inPage.get(name) ?? new Map<number, UnsentAnswer>();
  inPage.set(name, rows);
  void sweep().catch(() => undefined);
  return keptStore(memoryStore(rows), diskStore(studentId, recordId, from));
}

/** A disk, with a memory for what it does not hold. */
export function keptStore(memory: UnsentStore, disk: UnsentStore): UnsentStore {
  return {
    async put(answer) {
      await memory.put(answer);
      const kept = await disk.put(answer).catch(() => false);
      if (kept) await memory.remove(answer);
      return kept;
    },
    async remove(answer) {
      await memory.remove(answer);
      await disk.remove(answer);
    },
    async all() {
      const newest = new Map<number, UnsentAnswer>();
      for (const answer of [...(await atMostASecond(disk.all(), [])), ...(await memory.all())]) {
        if ((newest.get(answer.questionId)?.seq ?? 0) < answer.seq) newest.set(answer.questionId, answer);
      }
      return [...newest.values()];
    },
    async clear() {
      await memory.clear();
      await disk.clear();
    },
  };
}

/** Every answer of one person that stayed behind in this browser, of all records; none without a database. */
export async function leftBehind(studentId: number): Promise<Left[]> {
  const db = await atMostASecond(database(), null);
  const rows = (await db?.getAll('unsent', IDBKeyRange.bound([studentId], [studentId, []]))) ?? [];
  return rows.flatMap(({ from, ...row }) => (from ? [{ ...row, ...from }] : []));
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
    put: (answer) =>
      inTurn(async (db) => {
        // The screen shows the choice first.
        await nextTask();
        const key: [number, number, number] = [studentId, recordId, answer.questionId];
        // On the disk itself where the browser knows how, not in the memory of the machine, which a power cut empties.
        const write = db.transaction('unsent', 'readwrite', { durability: 'strict' });
        // Said again by what failed in it.
        write.done.catch(() => undefined);
        const there = await write.store.get(key);
        const adopted = there?.seq === answer.seq && from !== undefined && there.from?.windowId !== from.windowId;
        if (!there || there.seq < answer.seq || adopted) {
          await write.store.put({ ...answer, studentId, recordId, at: Date.now(), ...(from ? { from } : {}) });
        }
        await write.done;
        const read = await db.get('unsent', key);
        return (
          read !== undefined && (read.seq > answer.seq || (read.seq === answer.seq && read.answer === answer.answer))
        );
      }),
    remove: (answer) =>
      inTurn(async (db) => {
        const write = db.transaction('unsent', 'readwrite');
        write.done.catch(() => undefined);
        const there = await write.store.get([studentId, recordId, answer.questionId]);
        if (there && there.seq <= answer.seq) await write.store.delete([studentId, recordId, answer.questionId]);
        await write.done;
      }),
    all: () =>
      inTurn(async (db) =>
        (await db.getAll('unsent', range()))
          .filter((row) => isOfPaper(row, from))
          .map(({ questionId, answer, seq }) => ({ questionId, answer, seq })),
      ),
    clear: () => inTurn((db) => db.delete('unsent', range())),
  };
}

/** Letters that were given under another version of the paper may stand for other options: nobody restores them as these. */
function isOfPaper(row: Row, from: Origin | undefined): boolean {
  const [given, wanted] = [row.from?.paperVersion, from?.paperVersion];
  return given === undefined || wanted === undefined || given === wanted;
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

/** The same without a disk: nothing that it holds is kept. */
export function memoryStore(rows = new Map<number, UnsentAnswer>()): UnsentStore {
  return {
    async put(answer) {
      if ((rows.get(answer.questionId)?.seq ?? 0) < answer.seq) rows.set(answer.questionId, answer);
      return false;
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

/** Throws away what nobody came back to for half a year. */
async function sweep(): Promise<void> {
  const db = await database();
  if (db === null) return;
  const write = db.transaction('unsent', 'readwrite');
  for await (const cursor of write.store) {
    if (cursor.value.at < Date.now() - FORGOTTEN) await cursor.delete();
  }
  await write.done;
}
