import type { Chore } from '#server/chores.ts';
import type { Parts } from '#server/parts.ts';
import { deleteUntakenBefore } from './store.ts';

const HOUR = 60 * 60_000;
/** How long a picture waits for what it was uploaded for. */
const KEPT = 24 * HOUR;

/** Forgets what nobody used; the bytes then belong to nobody and go as such files do (server/forgotten-files.ts). */
export function imageChores({ db }: Pick<Parts, 'db'>): Chore[] {
  return [
    { name: 'images: forget what nothing took', every: HOUR, run: (now) => deleteUntakenBefore(db.query, now - KEPT) },
  ];
}
