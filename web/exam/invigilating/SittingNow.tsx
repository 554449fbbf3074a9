import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { RowBones } from '#ui/Bones.tsx';
import { TaskAction, TaskCard, TaskCount, TaskLine } from '#ui/TaskCard.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';

/** Milliseconds between two looks at who sits: it is what a teacher keeps open beside an exam. */
const LOOK_EVERY = 30_000;
/** Papers that are named on the card; the page has them all. */
const NAMED = 3;

/** Who sits a paper with an end now: how many, and which papers. */
export function SittingNow() {
  const call = useCall(
    'GET /app/exam/sitting',
    { pageNum: 1, pageSize: 1 },
    { staleTime: 0, refetchInterval: LOOK_EVERY },
  );
  return (
    <TaskCard title={t('监考与补时')}>
      <CallState call={call} skeleton={<RowBones count={1} height={72} />}>
        {({ total, papers }) => (
          <>
            <TaskCount count={total} words={t('人正在考试')} none={t('现在没有人在考限时的试卷。')} />
            {papers.slice(0, NAMED).map(({ examId, examName, count }) => (
              <TaskLine key={examId}>
                <Link to={paths.teachSitting({ examId })}>{t('{paper}：{count} 人', { paper: examName, count })}</Link>
              </TaskLine>
            ))}
            {total > 0 && (
              <TaskAction>
                <Button component={Link} to={paths.teachSitting()} variant="default">
                  {t('去监考')}
                </Button>
              </TaskAction>
            )}
          </>
        )}
      </CallState>
    </TaskCard>
  );
}
