import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import classes from './UnreadCount.module.css';

/** How many own reports were answered since one looked; 0 until it is known. */
function useUnread(): number {
  return useCall('GET /app/feedback/unread', {}, { staleTime: 60_000 }).data?.count ?? 0;
}

/** The number of new answers, beside the way to them; nothing where there is none. */
export function UnreadCount() {
  const count = useUnread();
  if (count === 0) return null;
  return (
    <span className={classes.count}>
      <span aria-hidden>{count > 99 ? '99+' : count}</span>
      <span className="unseen">{t('{count} 条新回复', { count })}</span>
    </span>
  );
}

/** That there are new answers, on what leads to the way to them. */
export function UnreadDot() {
  return useUnread() === 0 ? null : <span className={classes.dot} aria-hidden />;
}
