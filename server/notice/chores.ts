import { NOTICE_BEAT } from '#contract/values/notice.ts';
import type { Chore } from '#server/chores.ts';
import { announcedNow, deleteAnnouncementsBefore } from './announcement-store.ts';
import type { NoticeParts } from './parts.ts';
import { deleteNoticesBefore } from './store.ts';

const DAY = 24 * 60 * 60 * 1000;
/** How long a notice is kept: what it tells stands for good where it belongs (the record, its result). */
const KEPT = 365 * DAY;
/** How soon open windows hear that something is announced, or is no more. */
const SOON = 3000;

/** Tells of what begins, ends or was withdrawn, also by a command, and deletes what is long past. Harmless in any number of processes. */
export function noticeChores({ db, watching }: Pick<NoticeParts, 'db' | 'watching'>): Chore[] {
  let announced = '';
  return [
    {
      name: 'tell of announcements',
      every: SOON,
      run: async (now) => {
        if (watching.size === 0) return;
        const current = await announcedNow(db.query, now);
        if (current === announced) return;
        announced = current;
        // One after the other: thousands that look at once would hold everybody else up.
        for (const window of [...watching]) await window.look();
      },
    },
    {
      name: 'repeat to windows',
      every: NOTICE_BEAT,
      run: async () => {
        for (const window of watching) window.repeat();
      },
    },
    {
      name: 'forget old notices',
      every: DAY,
      run: async (now) => {
        await deleteNoticesBefore(db.query, now - KEPT);
        await deleteAnnouncementsBefore(db.query, now - KEPT);
      },
    },
  ];
}
