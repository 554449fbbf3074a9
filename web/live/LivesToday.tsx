import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { LIVE, UPCOMING } from '#contract/values/live.ts';
import { RowBones } from '#ui/Bones.tsx';
import { TaskAction, TaskCard, TaskCount, TaskLine } from '#ui/TaskCard.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { dayInChina } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { liveTimes } from './LiveFacts.tsx';

/** Of so many lessons those of today are looked for: what is live or to come stands first. */
const LOOKED_AT = 20;

/** The live lessons of today that are not over. */
export function LivesToday() {
  const call = useCall('GET /app/live/teach_list', { pageNum: 1, pageSize: LOOKED_AT }, { staleTime: 0 });
  const today = dayInChina(serverNow());
  return (
    <TaskCard title={t('今天的直播')}>
      <CallState call={call} skeleton={<RowBones count={1} height={72} />}>
        {({ list }) => {
          const lessons = list.filter(
            ({ state, cancelledAt, startDateExt }) =>
              cancelledAt === null && (state === LIVE || (state === UPCOMING && startDateExt === today)),
          );
          return (
            <>
              <TaskCount count={lessons.length} words={t('场还没有结束')} none={t('今天没有直播')} />
              {lessons.slice(0, 3).map((lesson) => (
                <TaskLine key={lesson.id} urgent={lesson.state === LIVE}>
                  {t('{times} {title}', { times: liveTimes(lesson), title: lesson.title })}
                </TaskLine>
              ))}
              <TaskAction>
                <Button component={Link} to={paths.teachLive()} variant="default">
                  {lessons.length > 0 ? t('去看看') : t('去安排')}
                </Button>
              </TaskAction>
            </>
          );
        }}
      </CallState>
    </TaskCard>
  );
}
