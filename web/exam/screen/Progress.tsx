import { t } from '#web/lib/t.ts';
import classes from './ExamBar.module.css';
import { useExamState } from './ExamContext.ts';

/** Position over total (spec §2). */
export function Progress() {
  const position = useExamState((state) => state.current + 1);
  const total = useExamState((state) => state.paper.questions.length);
  return (
    <div className={classes.progress}>
      <span className={classes.count}>
        <b>{position}</b> / {total}
      </span>
      <div
        className={classes.hairline}
        role="progressbar"
        aria-label={t('进度')}
        aria-valuemin={0}
        aria-valuenow={position}
        aria-valuemax={total}
      >
        <div style={{ transform: `scaleX(${position / total})` }} />
      </div>
    </div>
  );
}
