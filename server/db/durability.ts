import type { Logger } from 'pino';
import type { Chore } from '#server/chores.ts';
import type { Db } from './open.ts';

/** Milliseconds between two looks: a setting is changed by hand, and a power cut seldom comes in the same minute. */
const LOOK_EVERY = 60_000;

/** Whether commits are durable, looked at again while the server runs. */
export interface Durability {
  /** The setting that makes them less; null: none does. */
  weak(): string | null;
  chores: readonly Chore[];
}

/** Looks again at what a start refuses (`NotDurable`): the server then says so with each look, and is not ready. */
export function watchDurability(db: Db, log: Logger): Durability {
  let weak: string | null = null;
  const look = async () => {
    const before = weak;
    weak = await db.notDurable();
    if (weak !== null) log.fatal(weak);
    else if (before !== null) log.warn('commits are durable again');
  };
  return { weak: () => weak, chores: [{ name: 'look at durability', every: LOOK_EVERY, run: look }] };
}
