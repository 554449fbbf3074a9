import rows from '#ui/rows.module.css';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './GivenTimeList.module.css';

/** Time that was given back: how much to how many, by whom and why. */
export function GivenTimeList({ list }: { list: Data<'GET /app/exam/given_time'>['list'] }) {
  const now = serverNow();
  return (
    <ul className={rows.rows}>
      {list.map(({ id, examName, packName, minutes, count, reason, doneBy, givenAt }) => (
        <li key={id} className={classes.row}>
          <p className={classes.what}>
            {examName} · {t('{count} 人各 {minutes} 分钟', { count, minutes })}
          </p>
          <p className={classes.why}>{reason}</p>
          <p className={rows.facts}>
            <span>{packName}</span>
            <span>{doneBy}</span>
            <span>{formatMoment(givenAt, now)}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}
