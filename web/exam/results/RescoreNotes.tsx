import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { sentences, t } from '#web/lib/t.ts';
import type { Result } from '../paper.ts';
import { sayPartShare } from '../part-share.ts';
import { formatScore } from '../score.ts';
import classes from './RescoreNotes.module.css';

type Rescore = Result['rescores'][number];

/** That and why a record was graded again after questions of it, or the rule of its paper, were corrected; nothing where it never was. */
export function RescoreNotes({ rescores }: Pick<Result, 'rescores'>) {
  if (rescores.length === 0) return null;
  const now = serverNow();
  return (
    <section className={classes.notes} aria-label={t('成绩更正')}>
      <h2>{t('成绩更正')}</h2>
      <ul>
        {rescores.map((rescore) => (
          <li key={`${rescore.questionId} ${rescore.rescoredAt} ${rescore.scoreBefore} ${rescore.scoreAfter}`}>
            <p>{sayRescore(rescore)}</p>
            <p className={classes.reason}>
              {t('原因：{reason}', { reason: rescore.reason })} · {formatMoment(rescore.rescoredAt, now)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function sayRescore({ questionNumber, rule, scoreBefore, scoreAfter }: Rescore): string {
  const [before, after] = [formatScore(scoreBefore), formatScore(scoreAfter)];
  if (rule !== null)
    return sentences(
      t('少选的得分规则已更正：{before} → {after}。', {
        before: sayPartShare(rule.before),
        after: sayPartShare(rule.after),
      }),
      t('得分由 {before} 分改为 {after} 分。', { before, after }),
    );
  const number = questionNumber ?? 0;
  return scoreBefore === scoreAfter
    ? t('第 {number} 题已更正，得分仍为 {score} 分。', { number, score: after })
    : t('第 {number} 题已更正，得分由 {before} 分改为 {after} 分。', { number, before, after });
}
