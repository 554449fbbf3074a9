import { Link } from 'react-router';
import { formatSpent } from '#rules/exam/countdown.ts';
import { MarkedBars } from '#ui/MarkedBars.tsx';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import type { Result, Review } from '../paper.ts';
import { formatScore } from '../score.ts';
import classes from './AnswerTimes.module.css';
import { sayPace } from './say-pace.ts';

/** Bars beside each other that can still be told apart, and slow questions that are named. */
const MOST_BARS = 120;
const MOST_SLOW = 3;
/** So many times the median, and so many seconds more, is slow. */
const SLOW = { times: 1.5, seconds: 10 };

interface Props {
  result: Pick<Result, 'recordId' | 'answerTimes' | 'byType'>;
  /** The questions of the record in its order. */
  questions: readonly Pick<Review['questions'][number], 'questionId' | 'state'>[];
}

/** How long each answer took beside the median of all who answered the question, where enough did, and what the time cost. */
export function AnswerTimes({ result, questions }: Props) {
  const times = new Map(result.answerTimes.map((time) => [time.questionId, time]));
  const all = questions.flatMap(({ questionId, state }, index) => {
    const time = times.get(questionId);
    return time ? [{ ...time, number: index + 1, state }] : [];
  });
  if (all.every(({ seconds }) => seconds === 0)) return null;
  const shown =
    all.length <= MOST_BARS
      ? all
      : [...all]
          .sort((a, b) => b.seconds - a.seconds)
          .slice(0, MOST_BARS)
          .sort((a, b) => a.number - b.number);
  const over = ({ seconds, median }: (typeof all)[number]) => (median === null ? 0 : seconds - median);
  const slow = all
    .filter((time) => time.median !== null && time.seconds >= time.median * SLOW.times && over(time) >= SLOW.seconds)
    .sort((a, b) => over(b) - over(a))
    .slice(0, MOST_SLOW);
  const seconds = result.byType.reduce((sum, type) => sum + type.seconds, 0);
  const lost = result.byType.reduce((sum, { total, pending, earned }) => sum + total - pending - earned, 0);
  const pace = sayPace(lost, seconds);
  const single = all.reduce((sum, time) => sum + time.seconds, 0) / all.length;
  return (
    <section className={classes.box}>
      <h2>{t('每题用时')}</h2>
      <p className={classes.lead}>
        <span>{t('平均每题 {time}', { time: formatSpent(Math.round(single)) })}</span>
        {pace !== undefined && <span>{t('共失 {lost} 分，{pace}', { lost: formatScore(lost), pace })}</span>}
        {shown.length < all.length && <span>{t('图中是用时最长的 {count} 题', { count: shown.length })}</span>}
      </p>
      <MarkedBars
        title={all.some(({ median }) => median !== null) ? t('每题用时与所有答题者的中位数') : t('每题用时')}
        itemName={t('题目')}
        valueName={t('我的用时')}
        markName={t('答题者中位数')}
        loudName={all.some(({ state }) => state === 3) ? t('没全对的题') : t('答错的题')}
        bars={shown.map(({ number, seconds: value, median, state }) => ({
          name: t('第 {number} 题', { number }),
          value,
          mark: median,
          loud: state === 2 ? t('答错') : state === 3 ? t('部分正确') : null,
        }))}
        say={formatSpent}
      />
      {slow.length > 0 && (
        <ul className={classes.slow}>
          {slow.map(({ questionId, number, seconds: own, median }) => (
            <li key={questionId}>
              <Link to={paths.examReview(result.recordId, { q: number })}>
                {t('第 {number} 题用了 {own}，一般 {median}', {
                  number,
                  own: formatSpent(own),
                  median: formatSpent(median ?? 0),
                })}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
