import { allowsOneMore, type Limit, type LimitCheck } from '#rules/user/limits.ts';
import type { Query } from '#server/db/open.ts';
import { addEvent, countEventsSince, deleteEvent, deleteEvents, timeOfEvent } from './rate-limit-store.ts';

/** An event that was counted; `undo` takes it back. */
export interface Counted {
  ok: true;
  undo(): Promise<void>;
}

/**
 * Counts one event in `bucket` if its limit allows. Holds with any number of processes and without locks: the event is
 * written first, then everything is counted, and it is taken back when it was too many. So of events that come at the
 * same moment, more may be refused than had to be, never more allowed.
 */
export async function countEvent(
  query: Query,
  bucket: string,
  limit: Limit,
  now: number,
): Promise<Counted | Exclude<LimitCheck, { ok: true }>> {
  // A flood is refused here, by reading alone.
  const before = allowsOneMore(limit, await nthNewestOf(query, bucket, limit, 0), now);
  if (!before.ok) return before;
  const id = await addEvent(query, bucket, now);
  const undo = () => deleteEvent(query, id);
  const after = allowsOneMore(limit, await nthNewestOf(query, bucket, limit, 1), now);
  if (after.ok) return { ok: true, undo };
  await undo();
  return after;
}

/** What is being done in this process, by its name. */
const underWay = new Map<string, Promise<unknown>>();

/**
 * Does what one press asks for, one after the other where it is sent several times side by side, so that the second one finds what the first one has done. At once
 * all would count against the limit of their sender, who would be refused for what they may do once.
 * @param name of the press, unique in the site
 */
export async function oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  for (let same = underWay.get(name); same !== undefined; same = underWay.get(name)) await same;
  const mine = work();
  underWay.set(
    name,
    mine.catch(() => undefined),
  );
  return mine.finally(() => underWay.delete(name));
}

/** Counts one event that no limit forbids, for what is decided by how many there were. */
export async function noteEvent(query: Query, bucket: string, now: number): Promise<Counted> {
  const id = await addEvent(query, bucket, now);
  return { ok: true, undo: () => deleteEvent(query, id) };
}

/** Above this nobody asks how many: every decision by a count has been made before. */
const COUNTED_UP_TO = 10_000;

/** How many events a bucket has within so many milliseconds, up to 10,000. */
export async function eventsWithin(query: Query, bucket: string, within: number, now: number): Promise<number> {
  return countEventsSince(query, bucket, now - within, COUNTED_UP_TO);
}

/** Whether one more event would be allowed; counts nothing. */
export async function wouldAllow(query: Query, bucket: string, limit: Limit, now: number): Promise<LimitCheck> {
  return allowsOneMore(limit, await nthNewestOf(query, bucket, limit, 0), now);
}

/** Forgets all events of a bucket: a right login forgives the wrong ones before it. */
export async function forgetEvents(query: Query, bucket: string): Promise<void> {
  await deleteEvents(query, bucket);
}

/** For each window the time of its `most`-th newest event, when the `own` newest ones are left out. */
async function nthNewestOf(query: Query, bucket: string, limit: Limit, own: number): Promise<(number | null)[]> {
  const times: (number | null)[] = [];
  for (const { most } of limit) times.push(await timeOfEvent(query, bucket, most - 1 + own));
  return times;
}
