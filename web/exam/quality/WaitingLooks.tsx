import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { RowBones } from '#ui/Bones.tsx';
import { TaskAction, TaskCard, TaskCount, TaskLine } from '#ui/TaskCard.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';

/** Packs that are named on the card; the page has them all. */
const NAMED = 3;

/** What of the questions needs a teacher's look: how many, and in which packs. */
export function WaitingLooks() {
  const call = useCall('GET /app/question/quality_looks', {}, { staleTime: 0 });
  return (
    <TaskCard title={t('试题质量')}>
      <CallState call={call} skeleton={<RowBones count={1} height={72} />}>
        {({ total, packs }) => (
          <>
            <TaskCount count={total} words={t('道题需要看看')} none={t('没有需要看看的题。')} />
            {packs.length > 1 &&
              packs.slice(0, NAMED).map(({ packId, packName, looks }) => (
                <TaskLine key={packId}>
                  <Link to={paths.teachQuestions({ packId, only: 'look' })}>
                    {t('{pack}：{count} 道', { pack: packName, count: looks })}
                  </Link>
                </TaskLine>
              ))}
            {packs[0] !== undefined && (
              <TaskAction>
                <Button component={Link} to={paths.teachQuestions({ packId: packs[0].packId, only: 'look' })}>
                  {t('去看看')}
                </Button>
              </TaskAction>
            )}
          </>
        )}
      </CallState>
    </TaskCard>
  );
}
