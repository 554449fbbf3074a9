import { IconFlag3, IconFlag3Filled, IconScale } from '@tabler/icons-react';
import { Link } from 'react-router';
import over from '#ui/card-link.module.css';
import { WaitIcon } from '#ui/WaitIcon.tsx';
import { t } from '#web/lib/t.ts';
import { Levels } from './Levels.tsx';
import classes from './UniversityCard.module.css';
import { UniversityMark } from './UniversityMark.tsx';
import type { UseGoal } from './useGoal.ts';
import type { University } from './useUniversities.ts';

interface Props {
  university: University;
  goal: UseGoal;
  /** The address of this page with this university open. */
  to: string;
  state: object;
}

/** One university in the list: the whole card opens it (spec §2). */
export function UniversityCard({ university, goal, to, state }: Props) {
  const { id, name, affiliation, city } = university;
  const [target, compared] = [goal.isTarget(id), goal.isCompared(id)];
  return (
    <article className={`${over.card} ${classes.card}`} data-target={target || undefined}>
      <UniversityMark logoUrl={university.logoUrl} name={name} size={56} />
      <div className={classes.body}>
        <h3 className={classes.name} lang="zh-CN">
          <Link to={to} state={state} className={over.link}>
            {name}
          </Link>
        </h3>
        <p className={classes.where} lang="zh-CN">
          {affiliation !== '' && <span>{affiliation}</span>}
          {city !== '' && city !== affiliation && <span>{city}</span>}
        </p>
        <Levels university={university} />
      </div>
      <div className={classes.actions}>
        <WaitIcon
          variant={target ? 'light' : 'subtle'}
          color={target ? 'jade' : 'gray'}
          aria-label={t('设 {name} 为目标院校', { name })}
          aria-pressed={target}
          title={target ? t('目标院校') : t('设为目标')}
          waiting={goal.isWaiting('target', id)}
          blocked={goal.busy}
          onClick={() => void goal.toggleTarget(id)}
        >
          {target ? <IconFlag3Filled size={18} aria-hidden /> : <IconFlag3 size={18} stroke={1.6} aria-hidden />}
        </WaitIcon>
        <WaitIcon
          variant={compared ? 'light' : 'subtle'}
          color={compared ? 'jade' : 'gray'}
          aria-label={t('对比 {name}', { name })}
          aria-pressed={compared}
          title={compared ? t('移出对比') : t('加入对比')}
          waiting={goal.isWaiting('compare', id)}
          blocked={goal.busy}
          onClick={() => void goal.toggleCompared(id)}
        >
          <IconScale size={18} stroke={compared ? 2 : 1.6} aria-hidden />
        </WaitIcon>
      </div>
    </article>
  );
}
