import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { t } from '#web/lib/t.ts';
import type { Result } from '../paper.ts';
import { formatScore } from '../score.ts';
import classes from './RescoreNotes.module.css';

/** That and why a record was graded again after questions of it were corrected; nothing where it never was. */
export function RescoreNotes({ rescores }: Pick<Result, 'rescores'>) {
  if (rescores.length === 0) return null;
  const now = serverNow();
  return (
    <section className={classes.notes} aria-label={t('成绩更正')}>
      <h2>{t('成绩更正')}</h2>
      <ul>
        {rescores.map(({ questionId, questionNumber, rescoredAt, reason, scoreBefore, scoreAfter }) => (
          <li key={`${questionId} ${rescoredAt}`}>
            <p>
              {scoreBefore === scoreAfter
                ? t('第 {number} 题已更正，得分仍为 {score} 分。', {
                    number: questionNumber,
                    score: formatScore(scoreAfter),
                  })
                : t('第 {number} 题已更正，得分由 {before} 分改为 {after} 分。', {
                    number: questionNumber,
                    before: formatScore(scoreBefore),
                    after: formatScore(scoreAfter),
                  })}
            </p>
            <p className={classes.reason}>
              {t('原因：{reason}', { reason })} · {formatMoment(rescoredAt, now)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
