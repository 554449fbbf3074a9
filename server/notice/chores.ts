import type { Chore } from '#server/chores.ts';
import type { Parts } from '#server/parts.ts';
import { deleteNoticesBefore } from './store.ts';

const DAY = 24 * 60 * 60 * 1000;
/** How long a notice is kept: what it tells stands for good where it belongs (the record, its result). */
const KEPT = 365 * DAY;

/** Deletes what is long past. Harmless to repeat in any number of processes. */
export function noticeChores({ db }: Pick<Parts, 'db'>): Chore[] {
  return [{ name: 'forget old notices', every: DAY, run: (now) => deleteNoticesBefore(db.query, now - KEPT) }];
}
