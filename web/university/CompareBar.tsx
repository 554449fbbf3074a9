import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { WaitButton } from '#ui/WaitButton.tsx';
import { WaitIcon } from '#ui/WaitIcon.tsx';
import { t } from '#web/lib/t.ts';
import classes from './CompareBar.module.css';
import { UniversityMark } from './UniversityMark.tsx';
import type { UseGoal } from './useGoal.ts';

/** What has been chosen for comparison, at the lower edge while there is anything. */
export function CompareBar({ goal, onCompare }: { goal: UseGoal; onCompare: () => void }) {
  const { compare } = goal.goal;
  if (compare.length === 0) return null;
  return (
    <section className={classes.bar} aria-label={t('院校对比')}>
      <ul className={classes.chosen}>
        {compare.map(({ id, name, logoUrl }) => (
          <li key={id}>
            <UniversityMark logoUrl={logoUrl} name={name} size={28} />
            <span className={classes.name} lang="zh-CN">
              {name}
            </span>
            <WaitIcon
              variant="subtle"
              color="gray"
              size="sm"
              className={classes.remove}
              aria-label={t('把 {name} 移出对比', { name })}
              waiting={goal.isWaiting('compare', id)}
              blocked={goal.busy}
              onClick={() => void goal.toggleCompared(id)}
            >
              <IconX size={16} stroke={1.6} aria-hidden />
            </WaitIcon>
          </li>
        ))}
      </ul>
      <div className={classes.actions}>
        <WaitButton
          variant="subtle"
          color="gray"
          waiting={goal.isWaiting('compare', null)}
          blocked={goal.busy}
          onClick={() => void goal.clearCompared()}
        >
          {t('清空')}
        </WaitButton>
        <Button disabled={compare.length < 2} onClick={onCompare}>
          {compare.length < 2 ? t('再选一所') : t('开始对比')}
        </Button>
      </div>
    </section>
  );
}
