import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callKey, invalidate, useCall } from '#web/lib/useCall.ts';
import { type Unread, watchNotices } from './watch.ts';

const UNREAD = 'GET /app/common/notice_unread';
const NONE: Unread = { count: 0, announced: 0 };

/** What the reader has not looked at, as the server last said it. */
export function useUnread(): Unread {
  return useCall(UNREAD, {}, { staleTime: 60_000 }).data ?? NONE;
}

/** Hears from the server what is unread, once in a page; lists that are open are read again when something has come. */
export function useWatchedNotices(userId: number): void {
  const client = useQueryClient();
  useEffect(() => {
    const heard = (unread: Unread) => {
      const before = client.getQueryData<Unread>(callKey(UNREAD, {}));
      client.setQueryData(callKey(UNREAD, {}), unread);
      if (before === undefined || before.announced !== unread.announced)
        void invalidate(client, 'GET /app/common/announcement');
      if (before !== undefined && unread.count > before.count) void invalidate(client, 'GET /app/common/notice');
    };
    return watchNotices(userId, heard, () => void invalidate(client, UNREAD));
  }, [userId, client]);
}
