import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { t } from '#web/lib/t.ts';
import classes from './LessonStage.module.css';

/** Seconds until the next lesson opens by itself. */
const WAIT = 5;

/** After the end: the next lesson opens in a moment, unless its student would rather stay. */
export function UpNext({ name, onGo, onStay }: { name: string; onGo: () => void; onStay: () => void }) {
  const [left, setLeft] = useState(WAIT);
  const go = useEffectEvent(onGo);
  useEffect(() => {
    if (left === 0) {
      go();
      return;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <div className={classes.upNext} role="status">
      <p>{t('{seconds} 秒后播放下一节：{name}', { seconds: left, name })}</p>
      <Button size="compact-sm" onClick={onGo}>
        {t('立即播放')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={onStay}>
        {t('留在本节')}
      </Button>
    </div>
  );
}
