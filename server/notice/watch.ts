import { WatchNotices } from '#contract/notice.ts';
import type { ServeSocket } from '#server/http/socket.ts';
import type { Look, NoticeParts } from './parts.ts';
import { noticesOf } from './topic.ts';
import { countUnread } from './unread.ts';

/**
 * `/app/common/notice_watch`: a window hears what is unread, at once and whenever it has changed. A message on the bus is only the reason
 * to look: what is told is what the database says after it, one look at a time, so that the last word is the last commit's.
 */
export function serveNoticeWatch(serveSocket: ServeSocket, parts: NoticeParts): void {
  const { bus, clock, log, watching } = parts;
  serveSocket(WatchNotices, async (socket, { user: { userId } }) => {
    let told = '';
    const tell = async () => {
      const unread = await countUnread(parts, userId, clock());
      const now = JSON.stringify(unread);
      if (now !== told) socket.send(unread);
      told = now;
    };
    let looking: Promise<void> = Promise.resolve();
    let asked = false;
    // However much is said during a look, one more follows it.
    const look: Look = () => {
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
    watching.add(look);
    socket.onClose(() => {
      watching.delete(look);
      void leave();
    });
    await look();
  });
}
