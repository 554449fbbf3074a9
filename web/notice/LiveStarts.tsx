import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { serverNow } from '#web/lib/clock.ts';
import { paths, patterns } from '#web/lib/paths.ts';
import { send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { callKey, useCall } from '#web/lib/useCall.ts';
import classes from './LiveStarts.module.css';
import { useUnread } from './useUnread.ts';

/** Minutes for which a beginning is news; later the notice alone tells of it. */
const NEWS = 10 * 60_000;
/** Of so many notices one is looked for: what has just come is the newest. */
const LOOKED_AT = 5;

/** Tells a student on whatever page they are that a live lesson which they booked begins (decisions §5), until they go there or close it. */
export default function LiveStarts() {
  const { count } = useUnread();
  const { pathname } = useLocation();
  const client = useQueryClient();
  const [closed, setClosed] = useState<readonly number[]>([]);
  const { data } = useCall(
    'GET /app/common/notice',
    { pageNum: 1, pageSize: LOOKED_AT },
    { enabled: count > 0, staleTime: 60_000 },
  );
  const now = serverNow();
  const notice = data?.list.find(
    ({ id, kind, unread, createdAt }) =>
      kind === 'liveStarts' && unread && createdAt > now - NEWS && !closed.includes(id),
  );
  if (count === 0 || notice === undefined || pathname === patterns.notices) return null;
  const close = () => {
    setClosed([...closed, notice.id]);
    void send('POST /app/common/notice_seen', { noticeIds: [notice.id] }).then(
      (unread) => client.setQueryData(callKey('GET /app/common/notice_unread', {}), unread),
      // It stays unread among the notices, which is true.
      () => undefined,
    );
  };
  const { title, liveId } = notice.words;
  return (
    <div className={classes.card} role="status">
      <p className={classes.words}>{t('直播开始了：{title}', { title: String(title) })}</p>
      <div className={classes.actions}>
        <Button component={Link} to={paths.livePage({ liveId: Number(liveId), state: 2 })} size="sm" onClick={close}>
          {t('去看直播')}
        </Button>
        <Button variant="subtle" size="sm" onClick={close}>
          {t('知道了')}
        </Button>
      </div>
    </div>
  );
}
