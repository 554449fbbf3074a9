import { WatchNotices } from '#contract/notice.ts';
import type { ServeSocket } from '#server/http/socket.ts';
import type { NoticeParts } from './parts.ts';
import { noticesOf } from './topic.ts';
import { countUnread } from './unread.ts';

/**
 * `/app/common/notice_watch`: a window hears what is unread, at once and whenever it has changed. A message on the bus is only the reason
 * to look: what is told is what the database says after it, one look at a time, so that the last word is the last commit's.
 */
export function serveNoticeWatch(serveSocket: ServeSocket, parts: NoticeParts): void {
  const { bus, clock, log, watching } = parts;
  serveSocket(WatchNotices, async (socket, { user: { userId } }) => {
    let last: Awaited<ReturnType<typeof countUnread>> | null = null;
    const tell = async () => {
      const unread = await countUnread(parts, userId, clock());
      if (JSON.stringify(unread) !== JSON.stringify(last)) socket.send(unread);
      last = unread;
    };
    let looking: Promise<void> = Promise.resolve();
    let asked = false;
    // However much is said during a look, one more follows it.
    const look = (): Promise<void> => {
      if (asked) return looking;
      asked = true;
      looking = looking
        .then(() => {
          asked = false;
          return tell();
        })
        .catch((error) => log.warn({ err: error }, 'watching notices'));
      return looking;
    };
    const leave = await bus.subscribe(noticesOf(userId), () => void look());
    const window = { look, repeat: () => last !== null && socket.send(last) };
    watching.add(window);
    socket.onClose(() => {
      watching.delete(window);
      void leave();
    });
    await look();
  });
}
