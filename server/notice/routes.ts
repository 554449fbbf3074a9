import {
  Announce,
  ChooseNoticeTopic,
  CountUnreadNotices,
  ListAnnouncements,
  ListNotices,
  ListNoticeTopics,
  ListUnseenAnnouncements,
  SeeNotices,
  WithdrawAnnouncement,
} from '#contract/notice.ts';
import { noticeTopics, teacherTopics } from '#contract/values/notice.ts';
import { refuse } from '#server/http/answer.ts';
import type { Serve } from '#server/http/serve.ts';
import type { ServeSocket } from '#server/http/socket.ts';
import { announce, listAnnouncements, readAnnouncement, withdraw } from './announce.ts';
import { readUnseen, readUnwanted, type StoredAnnouncement, saveRead, saveWanted } from './announcement-store.ts';
import type { NoticeParts } from './parts.ts';
import { readNotices, saveNoticesRead } from './store.ts';
import { noticesOf } from './topic.ts';
import { countUnread, readerOf } from './unread.ts';
import { serveNoticeWatch } from './watch.ts';
import { onTheWire } from './worded.ts';

/** Binds the calls of contract/notice.ts. */
export function noticeRoutes(serve: Serve, serveSocket: ServeSocket, parts: NoticeParts): void {
  const { bus, db } = parts;
  const { query } = db;
  serve(ListNotices, async ({ input: { pageNum, pageSize, beforeAt }, user, arrivedAt }) => {
    const bounds = { limit: pageSize, offset: (pageNum - 1) * pageSize, beforeAt };
    const reader = await readerOf(parts, user.userId, arrivedAt);
    const { list, total, newestAt } = await readNotices(query, reader, bounds);
    const unseen = new Set((await readUnseen(query, reader)).map(({ id }) => id));
    const shown = list.map((told) =>
      'notice' in told ? onTheWire(told.notice) : asNotice(told.announcement, unseen.has(told.announcement.id)),
    );
    return {
      list: shown,
      beforeAt: beforeAt ?? (newestAt ?? arrivedAt) + 1,
      total,
      pages: Math.ceil(total / pageSize),
      pageNum,
    };
  });
  serve(CountUnreadNotices, ({ user, arrivedAt }) => countUnread(parts, user.userId, arrivedAt));
  serve(SeeNotices, async ({ input: { noticeIds }, user, arrivedAt }) => {
    const reader = await readerOf(parts, user.userId, arrivedAt);
    await saveNoticesRead(query, reader, noticeIds);
    await saveRead(query, reader, noticeIds);
    // The other windows of this person count again.
    await bus.publish(noticesOf(user.userId), null);
    return countUnread(parts, user.userId, arrivedAt);
  });
  serve(ListUnseenAnnouncements, async ({ user, arrivedAt }) => {
    const unseen = await readUnseen(query, await readerOf(parts, user.userId, arrivedAt));
    return { list: unseen.map(({ id, name, content, from_at }) => ({ id, name, content, fromAt: from_at })) };
  });
  serve(ListNoticeTopics, async ({ user: { userId, role } }) => {
    const unwanted = (await readUnwanted(query, [userId])).get(userId);
    const topics = noticeTopics.filter((topic) => role === 'teacher' || !teacherTopics.includes(topic));
    return { list: topics.map((topic) => ({ topic, wanted: unwanted?.has(topic) ? 0 : 1 })) };
  });
  serve(ChooseNoticeTopic, async ({ input: { topic, wanted }, user: { userId } }) => {
    await saveWanted(query, { userId, topic, wanted: wanted === 1 });
    return { topic, wanted };
  });
  serve(ListAnnouncements, ({ input, arrivedAt }) => listAnnouncements(query, { ...input, now: arrivedAt }));
  serve(Announce, async ({ input, user: { userId }, arrivedAt }) => {
    const announced = await announce(parts, input, { by: userId, now: arrivedAt });
    if (!announced.ok) return refuse(announced.why, announced.field);
    return (await readAnnouncement(query, announced.announcement.id, arrivedAt)) ?? refuse('notFound');
  });
  serve(
    WithdrawAnnouncement,
    async ({ input: { id }, user: { userId }, arrivedAt }) =>
      (await withdraw(query, id, { by: userId, now: arrivedAt })) ?? refuse('notFound', 'id'),
  );
  serveNoticeWatch(serveSocket, parts);
}

const asNotice = ({ id, name, content, from_at }: StoredAnnouncement, unread: boolean) => ({
  ...{ id, name, content, kind: 'announcement' as const, words: { name, content } },
  ...{ recordId: null, qaId: null, createdAt: from_at, unread },
});
