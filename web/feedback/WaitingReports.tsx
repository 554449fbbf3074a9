import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { feedbackState } from '#contract/values/feedback.ts';
import { RowBones } from '#ui/Bones.tsx';
import { TaskAction, TaskCard, TaskCount, TaskLine } from '#ui/TaskCard.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { t, tIn } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { waited } from './waited.ts';

/** What of the reports waits for a teacher: how many, and for how long. */
export function WaitingReports() {
  const call = useCall('GET /app/feedback/waiting', {}, { staleTime: 0 });
  return (
    <TaskCard title={tIn('teach', '试题反馈')}>
      <CallState call={call} skeleton={<RowBones count={1} height={72} />}>
        {({ waiting, oldestAt, received, decided }) => (
          <>
            <TaskCount count={waiting} words={t('条待处理')} none={t('没有待处理的试题反馈。')} />
            {oldestAt !== null && <Oldest at={oldestAt} />}
            {received > 0 && (
              <TaskLine>
                <Link to={paths.teachFeedback({ state: feedbackState.received })}>
                  {t('另有 {count} 条已收到，还没有结果', { count: received })}
                </Link>
              </TaskLine>
            )}
            {(waiting > 0 || decided > 0) && (
              <TaskAction>
                {waiting > 0 ? (
                  <Button component={Link} to={paths.teachFeedback({ state: feedbackState.waiting })}>
                    {t('去处理')}
                  </Button>
                ) : (
                  <Button component={Link} to={paths.teachFeedback()} variant="default">
                    {t('看看处理过的 {count} 条', { count: decided })}
                  </Button>
                )}
              </TaskAction>
            )}
          </>
        )}
      </CallState>
    </TaskCard>
  );
}

function Oldest({ at }: { at: number }) {
  const now = serverNow();
  const since = waited(now - at);
  const moment = formatMoment(at, now);
  return (
    <TaskLine urgent={since !== null && 'days' in since}>
      {since === null
        ? t('最早的一条不到 1 小时前提交')
        : 'days' in since
          ? t('最早的一条已等 {days} 天（{moment}）', { days: since.days, moment })
          : t('最早的一条已等 {hours} 小时（{moment}）', { hours: since.hours, moment })}
    </TaskLine>
  );
}
