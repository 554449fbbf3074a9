import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { feedbackState } from '#contract/values/feedback.ts';
import { RowBones } from '#ui/Bones.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { t, tIn } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import classes from './WaitingReports.module.css';
import { waited } from './waited.ts';

/** What of the reports waits for a teacher: how many, and for how long. */
export function WaitingReports() {
  const call = useCall('GET /app/feedback/waiting', {}, { staleTime: 0 });
  return (
    <section className={classes.card} aria-labelledby="waiting-reports">
      <h2 id="waiting-reports">{tIn('teach', '试题反馈')}</h2>
      <CallState call={call} skeleton={<RowBones count={1} height={72} />}>
        {({ waiting, oldestAt, received, decided }) => (
          <>
            {waiting === 0 ? (
              <p className={classes.quiet}>{t('没有待处理的试题反馈。')}</p>
            ) : (
              <p className={classes.count}>
                <b>{waiting}</b>
                {t('条待处理')}
              </p>
            )}
            {oldestAt !== null && <Oldest at={oldestAt} />}
            {received > 0 && (
              <p className={classes.more}>
                <Link to={paths.teachFeedback({ state: feedbackState.received })}>
                  {t('另有 {count} 条已收到，还没有结果', { count: received })}
                </Link>
              </p>
            )}
            <div className={classes.actions}>
              {waiting > 0 ? (
                <Button component={Link} to={paths.teachFeedback({ state: feedbackState.waiting })}>
                  {t('去处理')}
                </Button>
              ) : (
                decided > 0 && (
                  <Button component={Link} to={paths.teachFeedback()} variant="default">
                    {t('看看处理过的 {count} 条', { count: decided })}
                  </Button>
                )
              )}
            </div>
          </>
        )}
      </CallState>
    </section>
  );
}

function Oldest({ at }: { at: number }) {
  const now = serverNow();
  const since = waited(now - at);
  const moment = formatMoment(at, now);
  return (
    <p className={classes.oldest} data-long={(since !== null && 'days' in since) || undefined}>
      {since === null
        ? t('最早的一条不到 1 小时前提交')
        : 'days' in since
          ? t('最早的一条已等 {days} 天（{moment}）', { days: since.days, moment })
          : t('最早的一条已等 {hours} 小时（{moment}）', { hours: since.hours, moment })}
    </p>
  );
}
