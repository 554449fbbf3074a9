import type { Parts } from '#server/parts.ts';

/** One window that hears of notices. */
interface Watching {
  /** Looks what is unread, and says so where that has changed. */
  look(): Promise<void>;
  /** Says once more what it was told last. */
  repeat(): void;
}

/** What the calls, the sockets and the chores of notices share. */
export interface NoticeParts extends Pick<Parts, 'db' | 'bus' | 'clock' | 'random' | 'log'> {
  /** The questions of which nothing may be told to somebody now: a notice that a key was corrected tells of it. */
  hiddenFrom: (userId: number) => Promise<ReadonlySet<number>>;
  /** The open windows of this process. */
  watching: Set<Watching>;
}

/** Makes the parts of notices, once for a server (server/app.ts). */
export function noticeParts(
  { db, bus, clock, random, log }: Parts,
  hiddenFrom: NoticeParts['hiddenFrom'],
): NoticeParts {
  return { db, bus, clock, random, log, hiddenFrom, watching: new Set() };
}
