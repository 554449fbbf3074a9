import type { Db, Trx } from './open.ts';
import { DatabaseTrouble, isOfOne, troubleOf } from './trouble.ts';

/** What `work` gives for an item whose row somebody else holds: it is tried again while its neighbours are answered. */
export const HELD = Symbol('held');

interface Waiting<I, O> {
  item: I;
  resolve: (output: O) => void;
  reject: (error: unknown) => void;
  /** When it was first met held (`performance.now()`). */
  heldSince: number | null;
}

interface GroupOptions<I> {
  /** Items in one group at most. */
  most?: number;
  /** Items that may wait at once; one more is refused at once, so that memory cannot run out while the disk is stuck. */
  mostWaiting?: number;
  /**
   * Whether writing an item twice is the same as once, so that it is written again when its connection was lost during
   * the commit. Left out: all are so.
   */
  idempotent?: (item: I) => boolean;
  /** Milliseconds for which a held item is tried again. */
  heldFor?: number;
}

/**
 * Groups between their beginning and their answer. PostgreSQL takes one in while the next is decided; on SQLite this thread
 * does all the work itself, where one large group costs less than two small ones (bench/exam-save.ts).
 */
const GROUPS_AT_ONCE = { postgres: 2, sqlite: 1 } as const;
const MOST = 400;
const MOST_WAITING = 20_000;
/** Another transaction on a record takes milliseconds; one that froze is ended by the database after 5 s (postgres.ts). */
const HELD_FOR = 8000;
/** The first pause before a held item is tried again, which doubles, and the longest (milliseconds). */
const HELD_PAUSE = 10;
const LONGEST_HELD_PAUSE = 200;
/** Milliseconds in which the items of a group that failed are tried one by one. */
const ALONE_FOR = 5000;

/**
 * Group commit: what arrives in one moment is written in one transaction, and every caller gets its answer after that
 * commit. One fsync then serves many savers (architecture §2 "durability at speed"). A group takes what is waiting when
 * its transaction really begins, so the wait is at most two commits. If a group fails, each of its items is tried alone:
 * one bad item never fails its neighbours. Where the database itself is in trouble, all are told at once instead.
 * @param orderOf what an item belongs to, e.g. its record: items of one are written in the order in which they came
 * @param work gets the items in order of arrival and returns their outputs in the same order, `HELD` for those it has
 *   done nothing about, because it would have had to wait for somebody's lock
 */
export function grouped<I, O>(
  db: Pick<Db, 'kind' | 'transaction'>,
  orderOf: (item: I) => number,
  work: (trx: Trx, items: readonly I[]) => Promise<readonly (O | typeof HELD)[]>,
  options: GroupOptions<I> = {},
): (item: I) => Promise<O> {
  const { most = MOST, mostWaiting = MOST_WAITING, idempotent = () => true, heldFor = HELD_FOR } = options;
  const groupsAtOnce = GROUPS_AT_ONCE[db.kind];
  let waiting: Waiting<I, O>[] = [];
  let unanswered = 0;
  let underWay = 0;
  /** What the items under way belong to. Two transactions may overtake each other, so the next group leaves it alone. */
  const busy = new Set<number>();
  /** Whether a group has been begun that has not taken its items yet. */
  let gathering = false;

  function beginGroup(): void {
    if (gathering || underWay === groupsAtOnce || !waiting.some(isFree)) return;
    gathering = true;
    underWay += 1;
    const begin = () =>
      void writeGroup().finally(() => {
        underWay -= 1;
        beginGroup();
      });
    // A turn of the event loop lets the requests that are already in the socket buffers join the group.
    setImmediate(begin);
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
      const outputs = await write(() => {
        group ??= gather();
        return group;
      });
      settle(group ?? [], outputs);
    } catch (error) {
      await settleFailed(group, error);
    }
  }

  function write(take: () => readonly Waiting<I, O>[]): Promise<readonly (O | typeof HELD)[]> {
    let taken: readonly Waiting<I, O>[] = [];
    return db.transaction(
      (trx) => {
        taken = take();
        return work(
          trx,
          taken.map(({ item }) => item),
        );
      },
      { idempotent: () => taken.every(({ item }) => idempotent(item)) },
    );
  }

  /** @param group null: no transaction could begin, so that nobody who waits can be served now */
  async function settleFailed(group: Waiting<I, O>[] | null, error: unknown): Promise<void> {
    const trouble = troubleOf(error);
    if (group === null) {
      gathering = false;
      const all = waiting;
      waiting = [];
      for (const waiter of all) waiter.reject(error);
      return;
    }
    if ((trouble !== null && !isOfOne(trouble)) || group.length === 1) {
      for (const waiter of group) waiter.reject(error);
      letGo(group);
      return;
    }
    const began = performance.now();
    for (const waiter of group) {
      if (trouble !== null && performance.now() - began > ALONE_FOR) waiter.reject(error);
      else {
        try {
          settle([waiter], await write(() => [waiter]));
          continue;
        } catch (own) {
          waiter.reject(own);
        }
      }
      letGo([waiter]);
    }
  }

  function letGo(group: readonly Waiting<I, O>[]): void {
    for (const { item } of group) busy.delete(orderOf(item));
  }

  function settle(group: readonly Waiting<I, O>[], outputs: readonly (O | typeof HELD)[]): void {
    const now = performance.now();
    const held: Waiting<I, O>[] = [];
    for (const [at, waiter] of group.entries()) {
      const output = outputs[at] as O | typeof HELD;
      if (output !== HELD) waiter.resolve(output);
      else if (now - (waiter.heldSince ?? now) > heldFor) {
        waiter.reject(new DatabaseTrouble('held', 'another transaction holds the record'));
      } else {
        waiter.heldSince ??= now;
        held.push(waiter);
      }
    }
    // What belongs to a held item waits behind it.
    const keep = new Set(held.map(({ item }) => orderOf(item)));
    letGo(group.filter(({ item }) => !keep.has(orderOf(item))));
    if (held.length > 0) tryLater(held, keep, now);
  }

  function tryLater(held: readonly Waiting<I, O>[], keys: ReadonlySet<number>, now: number): void {
    // As long again as it has been held so far: 10, 20, 40 …
    const longest = Math.max(...held.map(({ heldSince }) => now - (heldSince ?? now)));
    const pause = Math.min(Math.max(HELD_PAUSE, longest), LONGEST_HELD_PAUSE);
    setTimeout(() => {
      for (const key of keys) busy.delete(key);
      waiting = [...held, ...waiting];
      beginGroup();
    }, pause);
  }

  return (item) => {
    if (unanswered >= mostWaiting) {
      return Promise.reject(new DatabaseTrouble('crowd', `${mostWaiting} wait to be written already`));
    }
    unanswered += 1;
    return new Promise<O>((resolve, reject) => {
      waiting.push({
        item,
        heldSince: null,
        resolve: (output) => {
          unanswered -= 1;
          resolve(output);
        },
        reject: (error) => {
          unanswered -= 1;
          reject(error);
        },
      });
      beginGroup();
    });
  };
}
