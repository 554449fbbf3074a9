import { Button } from '@mantine/core';
import { Link } from 'react-router';
import rows from '#ui/rows.module.css';
import { sayTimeLeft } from '#web/exam/say-time-left.ts';
import { formatScore } from '#web/exam/score.ts';
import { serverNow } from '#web/lib/clock.ts';
import { paths } from '#web/lib/paths.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import classes from './OwnRandomPapers.module.css';

/** Records shown above the form; the others are in 我的考试. */
const SHOWN = 3;

/** The newest random papers that the student sat or sits in a pack; nothing where there are none. */
export function OwnRandomPapers({ packId }: { packId: number }) {
  const asked = { packId, kind: 'random' as const, pageNum: 1, pageSize: SHOWN };
  const { data } = useCall('GET /api/user/exam_list', asked, { staleTime: 0 });
  if (!data || data.list.length === 0) return null;
  const now = serverNow();
  return (
    <section className={classes.papers} aria-labelledby="random-own">
      <h2 id="random-own">{t('最近的随机卷')}</h2>
      <ul className={rows.rows}>
        {data.list.map((line) => {
          const open = line.submittedAt === null;
          return (
            <li key={line.recordId}>
              <div className={classes.words}>
                <b>{line.examName}</b>
                <p>
                  {open
                    ? sayTimeLeft(line.endsAt, now)
                    : line.closed === 'unanswered'
                      ? t('未作答')
                      : line.withheld
                        ? t('成绩暂不显示')
                        : t('{score} / {total} 分', {
                            score: formatScore(line.score ?? 0),
                            total: formatScore(line.totalScore),
                          })}
                </p>
              </div>
              <Button
                component={Link}
                variant={open ? 'filled' : 'default'}
                to={open ? paths.exam(line.examId, { record: line.recordId }) : paths.examResult(line.recordId)}
              >
                {open ? t('继续') : t('查看结果')}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
