import { CountUnreadNotices, ListNotices, SeeNotices } from '#contract/notice.ts';
import type { Serve } from '#server/http/serve.ts';
import type { Parts } from '#server/parts.ts';
import { countUnreadNotices, readNotices, saveNoticesRead } from './store.ts';
import { onTheWire } from './worded.ts';

/**
 * Binds the calls of contract/notice.ts.
 * @param hiddenFrom the questions of which nothing may be told to somebody now: a notice that a key was corrected tells of it
 */
export function noticeRoutes(
  serve: Serve,
  { db: { query } }: Pick<Parts, 'db'>,
  hiddenFrom: (userId: number) => Promise<ReadonlySet<number>>,
): void {
  const readerOf = async (userId: number) => ({ userId, hidden: await hiddenFrom(userId) });
  serve(ListNotices, async ({ input: { pageNum, pageSize }, user }) => {
    const bounds = { limit: pageSize, offset: (pageNum - 1) * pageSize };
    const { notices, total } = await readNotices(query, await readerOf(user.userId), bounds);
    return { list: notices.map(onTheWire), total, pages: Math.ceil(total / pageSize), pageNum };
  });
  serve(CountUnreadNotices, async ({ user }) => ({
    count: await countUnreadNotices(query, await readerOf(user.userId)),
  }));
  serve(SeeNotices, async ({ input, user, arrivedAt }) => {
    const reader = await readerOf(user.userId);
    await saveNoticesRead(query, reader, { ids: input.noticeIds, now: arrivedAt });
    return { count: await countUnreadNotices(query, reader) };
  });
}
