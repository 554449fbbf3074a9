import type { Db, Trx } from './open.ts';

interface Waiting<I, O> {
  item: I;
  resolve: (output: O) => void;
  reject: (error: unknown) => void;
}

/**
 * Groups between their beginning and their answer. PostgreSQL takes one in while the next is decided; on SQLite this thread
 * does all the work itself, where one large group costs less than two small ones (bench/exam-save.ts).
 */
const GROUPS_AT_ONCE = { postgres: 2, sqlite: 1 } as const;

/**
 * Group commit: what arrives in one moment is written in one transaction, and every caller gets its answer after that
 * commit. One fsync then serves many savers (architecture §2 "durability at speed"). A group takes what is waiting when
 * its transaction really begins, so the wait is at most two commits. If a group fails, each of its items is tried alone:
 * one bad item never fails its neighbours.
 * @param orderOf what an item belongs to, e.g. its record: items of one are written in the order in which they came
 * @param work gets the items in order of arrival and returns their outputs in the same order
 * @param most items in one group
 */
export function grouped<I, O>(
  db: Pick<Db, 'kind' | 'transaction'>,
  orderOf: (item: I) => number,
  work: (trx: Trx, items: readonly I[]) => Promise<readonly O[]>,
  most = 400,
): (item: I) => Promise<O> {
  const groupsAtOnce = GROUPS_AT_ONCE[db.kind];
  let waiting: Waiting<I, O>[] = [];
  let underWay = 0;
  /** What the items under way belong to. Two transactions may overtake each other, so the next group leaves it alone. */
  const busy = new Set<number>();
  /** Whether a group has been begun that has not taken its items yet. */
  let gathering = false;

  function beginGroup(): void {
    if (gathering || underWay === groupsAtOnce || !waiting.some(isFree)) return;
    gathering = true;
    underWay += 1;
    // A turn of the event loop lets the requests that are already in the socket buffers join the group.
    setImmediate(() => {
      void writeGroup().finally(() => {
        underWay -= 1;
        beginGroup();
      });
    });
  }

  function isFree({ item }: Waiting<I, O>): boolean {
    return !busy.has(orderOf(item));
  }

  function gather(): Waiting<I, O>[] {
    gathering = false;
    const free = waiting.filter(isFree);
    const group = free.slice(0, most);
    const later = new Set(free.slice(most));
    waiting = waiting.filter((waiter) => later.has(waiter) || !isFree(waiter));
    for (const { item } of group) busy.add(orderOf(item));
    beginGroup();
    return group;
  }

  async function writeGroup(): Promise<void> {
    let group: Waiting<I, O>[] | null = null;
    try {
      const outputs = await db.transaction((trx) => {
        group ??= gather();
        return work(
          trx,
          group.map(({ item }) => item),
        );
      });
      settle(group ?? [], outputs);
    } catch (error) {
      // Where no transaction could begin at all, those who wait are told so too.
      const failed: Waiting<I, O>[] = group ?? gather();
      group = failed;
      if (failed.length === 1) failed[0]?.reject(error);
      else for (const waiter of failed) await writeAlone(waiter);
    }
    for (const { item } of group ?? []) busy.delete(orderOf(item));
  }

  async function writeAlone(waiter: Waiting<I, O>): Promise<void> {
    try {
      settle([waiter], await db.transaction((trx) => work(trx, [waiter.item])));
    } catch (error) {
      waiter.reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      beginGroup();
    });
}

function settle<I, O>(group: readonly Waiting<I, O>[], outputs: readonly O[]): void {
  for (const [at, { resolve }] of group.entries()) resolve(outputs[at] as O);
}
