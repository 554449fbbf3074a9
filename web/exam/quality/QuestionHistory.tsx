import { RichText } from '#ui/RichText.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import type { Data } from '#web/lib/send.ts';
import { sentences, t } from '#web/lib/t.ts';
import { typeNames } from '../paper.ts';
import { sayPartShare } from '../part-share.ts';
import classes from './QuestionHistory.module.css';
import { fieldWords, gradeModeWords } from './quality-words.ts';

type Detail = Data<'GET /app/question/quality'>;
type Event = Detail['history'][number];
type Change = Event['changes'][number];

/** Everything that was changed in a question: what, when, by whom and why. */
export function QuestionHistory({ history }: Pick<Detail, 'history'>) {
  const now = serverNow();
  if (history.length === 0) return <p className={classes.none}>{t('这道题没有更正过。')}</p>;
  return (
    <ol className={classes.events}>
      {history.map((event) => (
        <li key={event.correctionId}>
          <p className={classes.by}>
            <b>{event.nickname ?? t('导入')}</b>
            <span>{formatMoment(event.madeAt, now)}</span>
            <Rescored event={event} />
          </p>
          {event.reason !== null && <p className={classes.reason}>{t('原因：{reason}', { reason: event.reason })}</p>}
          <ul className={classes.changes}>
            {event.changes.map((change) => (
              <li key={`${change.field} ${change.examName}`}>
                <OneChange change={change} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

function Rescored({ event: { done, rescored, waiting, nickname } }: { event: Event }) {
  if (nickname === null) return null;
  if (!done && waiting > 0)
    return (
      <span className={classes.running}>
        {sentences(
          t('还有 {waiting} 份答卷等学生交卷后重新评分。', { waiting }),
          t('已改 {count} 份。', { count: rescored }),
        )}
      </span>
    );
  if (!done) return <span className={classes.running}>{t('正在重新评分，已改 {count} 份', { count: rescored })}</span>;
  return rescored > 0 ? <span>{t('{count} 份答卷的成绩或对错已改', { count: rescored })}</span> : null;
}

function OneChange({ change: { field, before, after, examName } }: { change: Change }) {
  const name = t(fieldWords[field] ?? field);
  const label = examName === null ? name : t('{name}（{paper}）', { name, paper: examName });
  if (field === 'chapter' || field === 'material') return <>{t('{name}改过', { name: label })}</>;
  if (field === 'analysis' || field === 'topic' || field === 'options' || /[<\\]/.test(before + after))
    return (
      <details>
        <summary>{t('{name}改过', { name: label })}</summary>
        <p className={classes.side}>{t('更正前')}</p>
        {before === '' ? <p className={classes.none}>{t('没有内容')}</p> : <RichText html={before} />}
        <p className={classes.side}>{t('更正后')}</p>
        {after === '' ? <p className={classes.none}>{t('没有内容')}</p> : <RichText html={after} />}
      </details>
    );
  return (
    <>{t('{name}：{before} → {after}', { name: label, before: said(field, before), after: said(field, after) })}</>
  );
}

function said(field: Change['field'], value: string): string {
  if (field === 'gradeMode') return t(gradeModeWords[value as keyof typeof gradeModeWords] ?? value);
  if (field === 'partial') return sayPartShare(value === '' ? null : Number(value));
  if (field === 'questionTypesId') return t(typeNames[Number(value)] ?? value);
  return value;
}
