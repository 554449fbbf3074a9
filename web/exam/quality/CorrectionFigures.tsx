import type { Ref } from 'react';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { formatScore } from '../score.ts';
import classes from './CorrectionFigures.module.css';

type Preview = Data<'POST /app/question/correction_preview'>;

/** What a correction would change in records that are over, before and after, and what becomes of those in progress. */
export function CorrectionFigures({ figures, heading }: { figures: Preview; heading: Ref<HTMLHeadingElement> }) {
  const { records, students, gaining, losing, passing, failing, open, own, papers } = figures;
  return (
    <section className={classes.figures} aria-label={t('更正的影响')}>
      <h3 ref={heading} tabIndex={-1}>
        {t('更正的影响')}
      </h3>
      <p>
        {records === 0
          ? own > 0
            ? t('学校试卷没有已交的答卷要重新评分。')
            : t('没有已交的答卷要重新评分。')
          : t('{records} 份已交的答卷（{students} 名学员）将重新评分：{gaining} 人加分，{losing} 人减分。', {
              records,
              students,
              gaining,
              losing,
            })}
      </p>
      {own > 0 && (
        <p>
          {t('另有 {count} 份已交的自组练习含有这道题，更正后逐份重新评分；开始后其中另有改动的，成绩不变。', {
            count: own,
          })}
        </p>
      )}
      {passing + failing > 0 && (
        <p className={classes.pass}>
          {t('{passing} 份由不及格变为及格，{failing} 份由及格变为不及格。', { passing, failing })}
        </p>
      )}
      {open > 0 && (
        <p>{t('{count} 份正在作答的答卷仍按开始时的试卷进行，交卷后再按更正后的评分。', { count: open })}</p>
      )}
      {papers.length > 0 && (
        <div className={classes.scroll}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('试卷')}</th>
                <th scope="col">{t('份数')}</th>
                <th scope="col">{t('平均分')}</th>
                <th scope="col">{t('总分')}</th>
                <th scope="col">{t('及格')}</th>
              </tr>
            </thead>
            <tbody>
              {papers.map((paper) => (
                <tr key={paper.examId}>
                  <th scope="row">{paper.name}</th>
                  <td>{paper.records}</td>
                  <td>{fromTo(formatScore(paper.averageBefore), formatScore(paper.averageAfter))}</td>
                  <td>{fromTo(formatScore(paper.totalBefore), formatScore(paper.totalAfter))}</td>
                  <td>{fromTo(String(paper.passedBefore), String(paper.passedAfter))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {records + open + own > 0 && <p className={classes.told}>{t('成绩有变化的学员会收到通知，看到更正的原因。')}</p>}
    </section>
  );
}

const fromTo = (before: string, after: string) => (before === after ? before : `${before} → ${after}`);
