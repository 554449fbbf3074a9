import { t } from '#web/lib/t.ts';
import classes from './ExamBones.module.css';

/**
 * The place of the exam screen while its code or its paper is on its way; the server draws it too. Its bars and cards stand where those of
 * the screen will stand (ExamScreen, ExamBar, CaseSplit, Question), so that nothing moves when they come.
 */
export function ExamBones() {
  return (
    // Told by its name, not by a text that nobody sees: a browser would look for the fonts of that before it paints anything.
    <div className={classes.screen} role="progressbar" aria-label={t('正在打开试卷')} aria-busy="true">
      <div className={classes.bar} aria-hidden>
        <i className={classes.title} />
        <i className={classes.hand} />
      </div>
      <div className={classes.body} aria-hidden>
        <div className={classes.question}>
          <div className={classes.card}>
            <i style={{ width: '34%' }} />
            <i style={{ width: '92%' }} />
            <i style={{ width: '70%' }} />
            {[0, 1, 2, 3].map((row) => (
              <b key={row} />
            ))}
          </div>
        </div>
        <div className={classes.side}>
          <i style={{ width: '40%' }} />
          <b />
        </div>
      </div>
      <div className={classes.moves} aria-hidden />
    </div>
  );
}
