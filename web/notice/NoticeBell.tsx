import { IconBell } from '@tabler/icons-react';
import { NavLink } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import classes from './NoticeBell.module.css';
import { useUnread, useWatchedNotices } from './useUnread.ts';

/** The way to the notices, with the number of those that one has not looked at. */
export function NoticeBell({ userId }: { userId: number }) {
  useWatchedNotices(userId);
  const { count } = useUnread();
  return (
    <NavLink
      to={paths.notices()}
      className={classes.bell}
      aria-label={count === 0 ? t('通知') : t('通知，{count} 条未读', { count })}
    >
      <IconBell size={20} stroke={1.6} aria-hidden />
      {count > 0 && <span className={classes.count}>{count > 99 ? '99+' : count}</span>}
    </NavLink>
  );
}
