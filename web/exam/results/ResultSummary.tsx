import type { ReactNode } from 'react';
import { ownKinds } from '#contract/values/exam.ts';
import { formatSpent } from '#rules/exam/countdown.ts';
import { levelOf } from '#rules/exam/result.ts';
import { languageOf } from '#rules/rich-text/language.ts';
import { ScoreCircle } from '#ui/ScoreCircle.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatCount, formatMoment } from '#web/lib/format.ts';
import { msg, t } from '#web/lib/t.ts';
import { countedNames } from '../center/retake.ts';
import type { Result } from '../paper.ts';
import { formatScore } from '../score.ts';
import classes from './ResultSummary.module.css';

const closings = {
  submitted: msg('已交卷'),
  timeUp: msg('考试时间到，已自动交卷'),
  unanswered: msg('未作答'),
} as const;

/** The score with everything that explains it. */
export function ResultSummary({ result, children }: { result: Result; children: ReactNode }) {
  const alone = ownKinds.some((kind) => kind === result.kind);
  return (
    <section className={classes.summary}>
      <ScoreCircle
        percent={result.percent}
        level={levelOf(result)}
        open={result.withheld ? t('暂不显示') : t('待评分')}
      />
      <div className={classes.words}>
        <h1 lang={languageOf(result.examName)}>{result.examName}</h1>
        <p className={classes.closed}>
          {t(closings[result.closed])} · {formatMoment(result.submittedAt, serverNow())}
        </p>
        <dl className={classes.facts}>
          <Fact name={t('得分')} strong>
            {result.score === null ? '—' : formatScore(result.score)}
            <small> / {formatScore(result.totalScore)}</small>
          </Fact>
          {/* A paper of one's own has no other taker to stand among, and the first taker of any is first of one. */}
          {!alone && result.takerCount > 1 && (
            <Fact name={t('排名')}>
              {result.rank === null ? (
                '—'
              ) : (
                <>
                  {t('第 {rank} 名', { rank: formatCount(result.rank) })}
                  <small> {t('共 {count} 人', { count: formatCount(result.takerCount) })}</small>
                </>
              )}
            </Fact>
          )}
          <Fact name={t('用时')}>
            {formatSpent(result.usedTime)}
            {result.extraTime > 0 && <small> {t('含补时 {minutes} 分钟', { minutes: result.extraTime })}</small>}
            <small className={classes.rule}>
              {result.endsAt === null ? t('题目在屏幕上的时间，看题、背题都算') : t('从开始到交卷')}
            </small>
            {result.accommodation > 0 && (
              <small className={classes.rule}>
                {t('考试时间已延长 {minutes} 分钟', { minutes: result.accommodation })}
              </small>
            )}
          </Fact>
          {result.averageScore !== null && result.takerCount > 1 && (
            <Fact name={t('平均分')}>{formatScore(result.averageScore)}</Fact>
          )}
        </dl>
        {result.withheld ? (
          <p className={classes.withheld}>
            {t('这份卷子里有题目正在另一场考试中。那场考试交卷后，这里会重新显示得分、排名和各题的对错。')}
          </p>
        ) : (
          <Counts {...result} />
        )}
        {!alone && result.takerCount > 1 && result.countsInRanking === false && result.closed !== 'unanswered' && (
          <p className={classes.closed}>
            {t('这次不计入排名：{rule}。', { rule: t(countedNames[result.retake.counts]) })}
          </p>
        )}
        {!alone && result.countsInRanking === null && !result.withheld && (
          <p className={classes.closed}>{t('教师账号不计入排名、平均分和做过的人数。')}</p>
        )}
        <div className={classes.actions}>{children}</div>
      </div>
    </section>
  );
}

/** 部分正确 by itself: it is not wrong as the others are. */
function Counts({ rightCount, wrongCount, partlyCount, unansweredCount, pendingCount }: Result) {
  const partly = partlyCount ?? 0;
  return (
    <p className={classes.counts}>
      <span data-of="right">{t('答对 {count}', { count: rightCount ?? 0 })}</span>
      {partly > 0 && <span data-of="partly">{t('部分正确 {count}', { count: partly })}</span>}
      <span data-of="wrong">{t('答错 {count}', { count: (wrongCount ?? 0) - partly })}</span>
      <span>{t('未作答 {count}', { count: unansweredCount ?? 0 })}</span>
      {(pendingCount ?? 0) > 0 && <span data-of="pending">{t('待评分 {count}', { count: pendingCount ?? 0 })}</span>}
    </p>
  );
}

function Fact({ name, strong, children }: { name: string; strong?: boolean; children: ReactNode }) {
  return (
    <div data-strong={strong || undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
