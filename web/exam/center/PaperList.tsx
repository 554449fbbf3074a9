import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { languageOf } from '#rules/rich-text/language.ts';
import icon from '#ui/icon-button.module.css';
import { serverNow } from '#web/lib/clock.ts';
import { formatCount } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { sayTimeLeft } from '../say-time-left.ts';
import { formatScore } from '../score.ts';
import { confirmStart } from './confirm-start.ts';
import classes from './PaperList.module.css';
import { sayRule } from './retake.ts';
import { useWhyNotAgain } from './useWhyNotAgain.ts';

type PaperLine = Data<'GET /api/exam/exam_list'>['list'][number];

/** Papers of one kind: what each is, how it went so far, and the one thing to do next. */
export function PaperList({ papers }: { papers: readonly PaperLine[] }) {
  return (
    <ul className={classes.list}>
      {papers.map((paper) => (
        <PaperRow key={paper.examId} paper={paper} />
      ))}
    </ul>
  );
}

function PaperRow({ paper }: { paper: PaperLine }) {
  const navigate = useNavigate();
  const now = serverNow();
  const open = paper.openRecordId !== null && (paper.endsAt === null || paper.endsAt > now);
  const notAgain = useWhyNotAgain(paper.retake);
  const stop = open ? null : notAgain;
  const start = async () => {
    if (open && paper.openRecordId !== null) void navigate(paths.exam(paper.examId, { record: paper.openRecordId }));
    else if (await confirmStart(paper)) void navigate(paths.exam(paper.examId));
  };
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <h2>
          <span lang={languageOf(paper.examName)}>{paper.examName}</span>
          {paper.year !== null && <span className={classes.year}>{paper.year}</span>}
        </h2>
        <p className={classes.facts}>
          <span>{t('{count} 题', { count: paper.totalQuestion })}</span>
          <span>{t('满分 {score}', { score: formatScore(paper.totalScore) })}</span>
          <span>{paper.ownTime === null ? t('不限时') : t('{minutes} 分钟', { minutes: paper.ownTime })}</span>
          {sayRule(paper.retake).map((sentence) => (
            <span key={sentence}>{sentence}</span>
          ))}
          {paper.withheld && <span>{t('有题目正在考试中，交卷后再显示成绩')}</span>}
          {paper.takerCount > 0 && <span>{t('{count} 人做过', { count: formatCount(paper.takerCount) })}</span>}
        </p>
      </div>
      <dl className={classes.scores}>
        {paper.lastScore !== null && <Score name={t('上次')} score={paper.lastScore} />}
        {paper.bestScore !== null && <Score name={t('最高')} score={paper.bestScore} />}
      </dl>
      <div className={classes.doing}>
        {open && paper.endsAt !== null && <span className={classes.left}>{sayTimeLeft(paper.endsAt, now)}</span>}
        {stop !== null && <span className={classes.left}>{stop}</span>}
        {!open && paper.lastRecordId !== null && (
          <Button component={Link} to={paths.examResult(paper.lastRecordId)} variant="default">
            {t('查看结果')}
          </Button>
        )}
        {(open || paper.lastRecordId !== null) && (
          <Link
            className={icon.button}
            to={paths.paperPrint({ exam: paper.examId })}
            aria-label={t('打印“{name}”', { name: paper.examName })}
            title={t('打印')}
          >
            <IconPrinter size={20} stroke={1.6} aria-hidden />
          </Link>
        )}
        <Button onClick={() => void start()} disabled={paper.totalQuestion === 0 || stop !== null}>
          {open ? t('继续') : paper.lastRecordId === null ? t('开始') : t('重新开始')}
        </Button>
      </div>
    </li>
  );
}

function Score({ name, score }: { name: string; score: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{formatScore(score)}</dd>
    </div>
  );
}
