import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { RowBones } from '#ui/Bones.tsx';
import { TaskAction, TaskCard, TaskCount } from '#ui/TaskCard.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';

/** How many comments no teacher has answered. */
export function WaitingComments() {
  const call = useCall('GET /app/comment/manage', { unanswered: 1, pageNum: 1, pageSize: 1 }, { staleTime: 0 });
  return (
    <TaskCard title={t('课程评论')}>
      <CallState call={call} skeleton={<RowBones count={1} height={72} />}>
        {({ total }) => (
          <>
            <TaskCount count={total} words={t('条还没有回复')} none={t('没有等待回复的评论')} />
            {total > 0 && (
              <TaskAction>
                <Button component={Link} to={paths.teachComments()} variant="default">
                  {t('去回复')}
                </Button>
              </TaskAction>
            )}
          </>
        )}
      </CallState>
    </TaskCard>
  );
}
