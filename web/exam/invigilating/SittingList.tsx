import { formatLeft, timeLevel } from '#rules/exam/countdown.ts';
import rows from '#ui/rows.module.css';
import { serverNow } from '#web/lib/clock.ts';
import { clockTime, formatMoment } from '#web/lib/format.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './SittingList.module.css';

type Sitting = Data<'GET /app/exam/sitting'>['list'][number];

interface Props {
  list: readonly Sitting[];
  chosen: ReadonlySet<number>;
  onChoose: (recordId: number, chosen: boolean) => void;
}

/** Who sits a paper now, to be chosen. */
export function SittingList({ list, chosen, onChoose }: Props) {
  const now = serverNow();
  return (
    <ul className={rows.rows}>
      {list.map((line) => (
        <li key={line.recordId}>
          <label className={classes.row}>
            <input
              type="checkbox"
              checked={chosen.has(line.recordId)}
              onChange={(event) => onChoose(line.recordId, event.currentTarget.checked)}
            />
            <span className={classes.words}>
              <span className={classes.name}>
                {line.nickname} <small>{line.validPhoneExt}</small>
              </span>
              <span className={rows.facts}>
                <span>{t('开始于 {moment}', { moment: formatMoment(line.startedAt, now) })}</span>
                <span>{t('已答 {done} / {total} 题', { done: line.answeredCount, total: line.totalQuestion })}</span>
                <span>
                  {line.savedAt === null ? t('还没有保存过') : t('最近保存 {time}', { time: clockTime(line.savedAt) })}
                </span>
                {line.accommodation > 0 && <span>{t('加时 {minutes} 分钟', { minutes: line.accommodation })}</span>}
                {line.extraTime > 0 && <span>{t('已补时 {minutes} 分钟', { minutes: line.extraTime })}</span>}
              </span>
            </span>
            <Left line={line} now={now} />
          </label>
        </li>
      ))}
    </ul>
  );
}

/** What is left, as of the newest answer of the server; it is asked again and again. */
function Left({ line: { startedAt, endsAt }, now }: { line: Sitting; now: number }) {
  const left = endsAt - now;
  return (
    <span className={classes.left} data-level={timeLevel(left, endsAt - startedAt)}>
      <small>{left > 0 ? t('剩余') : t('时间已到')}</small>
      {left > 0 && formatLeft(left)}
    </span>
  );
}
