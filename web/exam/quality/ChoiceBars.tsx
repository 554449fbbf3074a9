import { IconCheck } from '@tabler/icons-react';
import { formatRate } from '#web/lib/format.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './ChoiceBars.module.css';

type Detail = Data<'GET /app/question/quality'>;

/** Who chose what, the good students beside the poor ones: a table whose cells are bars too. */
export function ChoiceBars({ question }: { question: Detail }) {
  const { letters, answers, group, answered } = question;
  if (answered === 0) return <p className={classes.none}>{t('还没有学员做过这道题，或者选项改过之后还没有人做。')}</p>;
  const lines =
    letters.length > 0
      ? letters.map(({ letter, right, ...counts }) => ({ key: letter, word: letter, right, ...counts }))
      : answers.map(({ answer, ...counts }) => ({
          key: answer,
          word: answer === '=1' ? t('答对') : answer === '=2' ? t('答错') : t('部分得分'),
          right: answer === '=1',
          ...counts,
        }));
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{letters.length > 0 ? t('选项') : t('结果')}</th>
            <th scope="col">{t('全部学员')}</th>
            {group > 0 && <th scope="col">{t('成绩前 27%')}</th>}
            {group > 0 && <th scope="col">{t('成绩后 27%')}</th>}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ key, word, right, all, upper, lower }) => (
            <tr key={key} data-right={right || undefined}>
              <th scope="row">
                {word}
                {right && <IconCheck size={16} aria-label={t('正确答案')} />}
              </th>
              <td>
                <Bar share={all / answered} word={`${all}`} />
              </td>
              {group > 0 && (
                <td>
                  <Bar share={upper ?? 0} word={formatRate(upper ?? 0)} />
                </td>
              )}
              {group > 0 && (
                <td>
                  <Bar share={lower ?? 0} word={formatRate(lower ?? 0)} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.none}>
        {group > 0
          ? t(
              '按同卷其余题目的得分分组，每组约 {count} 人；每名学员只计第一次作答。区分度低于 0.2 值得看看，低于 0 多半是答案有误。',
              {
                count: group,
              },
            )
          : t('每名学员只计第一次作答。满 40 人后显示成绩前后两组和区分度。')}
      </p>
    </>
  );
}

function Bar({ share, word }: { share: number; word: string }) {
  return (
    <span className={classes.cell}>
      <svg className={classes.bar} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden>
        <rect className={classes.ground} width="100" height="8" />
        <rect className={classes.share} width={Math.min(1, share) * 100} height="8" />
      </svg>
      <span>{word}</span>
    </span>
  );
}
