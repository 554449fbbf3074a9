import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { nodeState } from '#contract/values/play.ts';
import { paths } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './LessonStage.module.css';

/** After the end, where the next lesson is locked: what opens it. */
export function EndsHere({
  lesson: { packId, nodeState: state, share, shareNeeded },
  bought,
  next,
}: {
  lesson: Data<'GET /app/course/lesson'>;
  bought: boolean;
  /** The name of the lesson that is locked. */
  next: string;
}) {
  const needed = Math.round(shareNeeded * 100);
  return (
    <div className={classes.upNext}>
      <p role="status">
        {!bought
          ? t('试听到这里结束，报名后继续学习')
          : state === nodeState.finished
            ? t('完成前面的课时后解锁下一节：{name}', { name: next })
            : t('本节已看 {seen}%，看满 {needed}% 后解锁下一节：{name}', {
                seen: Math.min(Math.floor(share * 100), needed - 1),
                needed,
                name: next,
              })}
      </p>
      {!bought && (
        <Button size="compact-sm" component={Link} to={paths.course(packId)}>
          {t('去报名')}
        </Button>
      )}
    </div>
  );
}
