import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { RowBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import classes from './SideLists.module.css';

/** 我的学分: what is earned, all there is, and what is still open. */
export function Credits({ packId }: { packId: number }) {
  const credits = useCall('GET /app/course/credits', { packId }, { staleTime: 0 });
  return (
    <CallState
      call={credits}
      skeleton={
        <div className={classes.bones}>
          <RowBones count={4} height={48} />
        </div>
      }
      empty={{ when: ({ list }) => list.length === 0, show: <EmptyState text={t('本课程包还没有可得的学分')} /> }}
    >
      {({ earned, total, open, list }) => (
        <>
          <dl className={classes.sums}>
            <div>
              <dt>{t('已得')}</dt>
              <dd>{earned}</dd>
            </div>
            <div>
              <dt>{t('待得')}</dt>
              <dd>{open}</dd>
            </div>
            <div>
              <dt>{t('总学分')}</dt>
              <dd>{total}</dd>
            </div>
          </dl>
          <ul className={classes.list}>
            {list.map((item) => (
              <li
                key={`${item.kind} ${item.firstVideoId} ${item.examId}`}
                className={classes.row}
                data-done={item.earned || undefined}
              >
                {item.earned ? (
                  <IconCircleCheck size={18} stroke={1.7} aria-hidden />
                ) : (
                  <IconCircle size={18} stroke={1.5} aria-hidden />
                )}
                <span className={classes.what}>
                  <Link
                    to={
                      item.examId === null ? paths.play(packId, { lesson: item.firstVideoId }) : paths.exam(item.examId)
                    }
                  >
                    {item.name}
                  </Link>
                  <small>
                    {item.kind === 'lesson' ? t('课时') : t('练习')} · {item.earned ? t('已得') : t('待得')}
                  </small>
                </span>
                <span className={classes.figure}>{t('{n} 学分', { n: item.credits })}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </CallState>
  );
}
