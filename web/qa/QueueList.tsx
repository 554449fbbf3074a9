import { Link } from 'react-router';
import { qaState, qaType } from '#contract/values/qa.ts';
import { clockText } from '#rules/play/clock-text.ts';
import rows from '#ui/rows.module.css';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './QueueList.module.css';
import { stateWord, typeWords } from './qa-words.ts';

type Line = Data<'GET /app/qa/queue'>['list'][number];

/** What a follow-up waits for is an answer, though there was one before. */
const lineWord = ({ feedbackType, state, waiting }: Line) =>
  stateWord(feedbackType, waiting && feedbackType === qaType.teaching ? qaState.waiting : state);

/** Questions for teachers under each other, each with when it is due; each leads to its answer. */
export function QueueList({ list, to }: { list: readonly Line[]; to: (id: number) => string }) {
  const now = serverNow();
  return (
    <ul className={rows.rows}>
      {list.map((line) => (
        <li key={line.id}>
          <Link to={to(line.id)} className={classes.row}>
            <span className={classes.top}>
              <span className={classes.state} data-waits={line.waiting || undefined}>
                {line.held ? t('待放行') : line.hidden ? t('已隐藏') : t(lineWord(line))}
              </span>
              <span className={classes.type}>{t(typeWords[line.feedbackType])}</span>
              {line.flagCount > 0 && (
                <span className={classes.more}>{t('{count} 人同问', { count: line.flagCount })}</span>
              )}
              {line.feedbackType === qaType.teaching && line.waiting && line.childList.length > 0 && (
                <span className={classes.more}>{t('有追问')}</span>
              )}
            </span>
            <span className={classes.words}>{line.feedbackDesc}</span>
            <span className={rows.facts}>
              <span>{line.nickname}</span>
              <span>{line.packName}</span>
              {line.firstVideoName !== '' && (
                <span>
                  {line.position === null ? line.firstVideoName : `${line.firstVideoName} ${clockText(line.position)}`}
                </span>
              )}
              <span>{formatMoment(line.createTime, now)}</span>
              {line.teacherName !== '' && <span>{t('由 {name} 负责', { name: line.teacherName })}</span>}
              {line.waiting && line.promisedAt !== null && (
                <span data-overdue={line.overdue || undefined} className={classes.due}>
                  {line.overdue
                    ? t('已超过承诺时间 {moment}', { moment: formatMoment(line.promisedAt, now) })
                    : t('{moment} 前回复', { moment: formatMoment(line.promisedAt, now) })}
                </span>
              )}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
