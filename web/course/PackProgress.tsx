import { formatCount, formatRate } from '#web/lib/format.ts';
import { t } from '#web/lib/t.ts';
import classes from './PackProgress.module.css';

/** How many of a pack's questions have been answered at least once. */
export function PackProgress({ done, total }: { done: number; total: number }) {
  const share = total === 0 ? 0 : Math.min(1, done / total);
  return (
    <div className={classes.progress}>
      <div className={classes.words}>
        <span>{t('已做 {done} / {total} 题', { done: formatCount(done), total: formatCount(total) })}</span>
        <span>{formatRate(share)}</span>
      </div>
      <div className={classes.rail} aria-hidden>
        <div className={classes.filled} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}
