import { Button } from '@mantine/core';
import { IconFlag3 } from '@tabler/icons-react';
import { Link } from 'react-router';
import { serverNow } from '#web/lib/clock.ts';
import { daysUntil, formatDay } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import classes from './GoalCard.module.css';
import { Levels } from './Levels.tsx';
import { UniversityMark } from './UniversityMark.tsx';
import { universitiesStay } from './useUniversities.ts';

/** For a signed-in student: the target university with the days to the nearest exam (null: none is ahead), or the way to choose one. */
export function GoalCard({ exam }: { exam: { examDate: string; packageName: string } | null }) {
  const goal = useCall('GET /app/university/goal', {}, { staleTime: universitiesStay });
  // The home page is whole without it: what failed is not worth a sentence there.
  if (goal.data === undefined) return null;
  const { target, compare } = goal.data;
  if (target === null) {
    return (
      <div className={classes.frame}>
        <section className={classes.card} data-empty aria-label={t('目标院校')}>
          <IconFlag3 size={26} stroke={1.5} className={classes.flag} aria-hidden />
          <div className={classes.words}>
            <h2 className={classes.name}>{t('还没有目标院校')}</h2>
            <p className={classes.lead}>{t('选定一所，每天都看得到离它还有多远')}</p>
          </div>
          <Button component={Link} to={paths.universities()} variant="default">
            {t('去院校库挑选')}
          </Button>
        </section>
      </div>
    );
  }
  const now = serverNow();
  const days = exam === null ? null : daysUntil(exam.examDate, now);
  return (
    <div className={classes.frame}>
      <section className={classes.card} aria-label={t('目标院校')}>
        <UniversityMark logoUrl={target.logoUrl} name={target.name} size={60} />
        <div className={classes.words}>
          <p className={classes.lead}>{t('目标院校')}</p>
          <h2 className={classes.name}>
            <Link to={paths.universities({ id: target.id })} lang="zh-CN">
              {target.name}
            </Link>
          </h2>
          <Levels university={target} />
          {compare.length > 1 && (
            <Link className={classes.compare} to={paths.universities({ compare: 1 })}>
              {t('看 {n} 所院校的对比', { n: compare.length })}
            </Link>
          )}
        </div>
        {exam !== null && days !== null && (
          <div className={classes.count} data-soon={days <= 30 || undefined}>
            <p className={classes.days}>
              {days === 0 ? (
                <strong>{t('今天考试')}</strong>
              ) : (
                <>
                  {t('距考试')} <strong>{days}</strong> {t('天', { n: days })}
                </>
              )}
            </p>
            <p className={classes.exam}>
              {t('{day} · {pack}', {
                day: formatDay(Date.parse(`${exam.examDate}T00:00:00+08:00`), now),
                pack: exam.packageName,
              })}
            </p>
          </div>
        )}
      </section>
    </div>
  );
}
