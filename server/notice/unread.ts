import type { DataOf } from '#contract/call.ts';
import type { CountUnreadNotices } from '#contract/notice.ts';
import { packsOpenTo } from '#server/course/store.ts';
import { readUnseen } from './announcement-store.ts';
import type { NoticeParts } from './parts.ts';
import { countUnreadNotices } from './store.ts';

/** Who reads: what is announced to whom, and what may not be told, is asked at each look. */
export async function readerOf({ db: { query }, hiddenFrom }: NoticeParts, userId: number, now: number) {
  return { userId, now, packIds: await packsOpenTo(query, userId), hidden: await hiddenFrom(userId) };
}

/** What somebody has not looked at. */
export async function countUnread(
  parts: NoticeParts,
  userId: number,
  now: number,
): Promise<DataOf<typeof CountUnreadNotices>> {
  const { query } = parts.db;
  const reader = await readerOf(parts, userId, now);
  const announced = (await readUnseen(query, reader)).length;
  return { count: announced + (await countUnreadNotices(query, reader)), announced };
}
