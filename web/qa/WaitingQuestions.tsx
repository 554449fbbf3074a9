import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { RowBones } from '#ui/Bones.tsx';
import { TaskAction, TaskCard, TaskCount, TaskLine } from '#ui/TaskCard.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';

/** What of Q&A waits for teachers. */
export function WaitingQuestions() {
  const call = useCall('GET /app/qa/waiting', {}, { staleTime: 0 });
  return (
    <TaskCard title={t('答疑')}>
      <CallState call={call} skeleton={<RowBones count={1} height={72} />}>
        {({ waiting, overdue, mine, held }) => (
          <>
            <TaskCount count={waiting} words={t('个提问等待回答')} none={t('没有等待回答的提问。')} />
            {overdue > 0 && <TaskLine urgent>{t('{count} 个已超过承诺的时间', { count: overdue })}</TaskLine>}
            {mine > 0 && (
              <TaskLine>
                <Link to={paths.teachQa({ mine: 1 })}>{t('{count} 个分给了您', { count: mine })}</Link>
              </TaskLine>
            )}
            {held > 0 && (
              <TaskLine>
                <Link to={paths.teachQa({ show: 'held' })}>{t('{count} 条含敏感词，等待放行', { count: held })}</Link>
              </TaskLine>
            )}
            {waiting > 0 && (
              <TaskAction>
                <Button component={Link} to={paths.teachQa()}>
                  {t('去回答')}
                </Button>
              </TaskAction>
            )}
          </>
        )}
      </CallState>
    </TaskCard>
  );
}
