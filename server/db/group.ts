import type { Db, Trx } from './open.ts';

interface Waiting<I, O> {
  item: I;
  resolve: (output: O) => void;
  reject: (error: unknown) => void;
}

/**
 * Group commit: what arrives in one moment is written in one transaction, and every caller gets its answer after that
 * commit. One fsync then serves many savers (architecture §2 "durability at speed"). While a group is being written the
 * next one gathers, so the wait is at most two commits. If a group fails, each of its items is tried alone: one bad
 * item never fails its neighbours.
 * @param work gets the items in order of arrival and returns their outputs in the same order
 * @param most items in one group
 */
export function grouped<I, O>(
  db: Db,
  work: (trx: Trx, items: readonly I[]) => Promise<readonly O[]>,
  most = 400,
): (item: I) => Promise<O> {
  const waiting: Waiting<I, O>[] = [];
  let writing = false;

  async function writeGroup(group: Waiting<I, O>[]): Promise<void> {
    try {
      const outputs = await db.transaction((trx) =>
        work(
          trx,
          group.map((one) => one.item),
        ),
      );
      group.forEach((one, at) => {
        one.resolve(outputs[at] as O);
      });
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error);
      else for (const one of group) await writeGroup([one]);
    }
  }

  async function writeAll(): Promise<void> {
    writing = true;
    // A turn of the event loop lets the requests that are already in the socket buffers join the group.
    await new Promise<void>((next) => setImmediate(next));
    while (waiting.length > 0) {
      const group = waiting.splice(0, most);
      await writeGroup(group);
    }
    writing = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!writing) void writeAll();
    });
}
