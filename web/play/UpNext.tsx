import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { t } from '#web/lib/t.ts';
import { isBusy } from './busy.ts';
import classes from './LessonStage.module.css';

/** Seconds until the next lesson opens by itself. */
const WAIT = 5;

/** After the end: the next lesson opens in a moment, unless its student would rather stay, or is busy on the page. */
export function UpNext({
  name,
  onGo,
  onOver,
  onStay,
}: {
  name: string;
  onGo: () => void;
  /** Nobody pressed anything in time. */
  onOver: () => void;
  onStay: () => void;
}) {
  const [left, setLeft] = useState(WAIT);
  const waited = useEffectEvent(onOver);
  useEffect(() => {
    const timer = setInterval(() => !isBusy() && setLeft((seconds) => seconds - 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const over = left <= 0;
  useEffect(() => {
    if (over) waited();
  }, [over]);
  return (
    <div className={classes.upNext}>
      {/* Told once, not with each second. */}
      <span className="unseen" role="status">
        {t('即将自动播放下一节：{name}', { name })}
      </span>
      <p aria-hidden>{t('{seconds} 秒后播放下一节：{name}', { seconds: Math.max(left, 0), name })}</p>
      <Button size="compact-sm" onClick={onGo}>
        {t('立即播放')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={onStay}>
        {t('留在本节')}
      </Button>
    </div>
  );
}
