import { t } from '#web/lib/t.ts';
import classes from './ExamBones.module.css';

/** The place of the exam screen while the paper is on its way. */
export function ExamBones() {
  return (
    <div className={classes.screen} aria-busy="true">
      <span className="unseen" role="status">
        {t('正在打开试卷')}
      </span>
      <div className={classes.bar} />
      <div className={classes.card} aria-hidden>
        <i style={{ width: '24%' }} />
        <i style={{ width: '92%' }} />
        <i style={{ width: '70%' }} />
        {[0, 1, 2, 3].map((row) => (
          <b key={row} />
        ))}
      </div>
    </div>
  );
}
