import { Button } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { Link } from 'react-router';
import rows from '#ui/rows.module.css';
import { sayTimeLeft } from '#web/exam/say-time-left.ts';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import classes from './OpenExams.module.css';
import page from './page.module.css';

type RecordLine = Data<'GET /api/user/exam_list'>['list'][number];
/** So many open papers are shown on the home page; the rest is one link away. */
const most = 4;

/** Papers that wait for the student, those with a deadline first. Nothing at all when none is open. What stands elsewhere (`without`) is not repeated. */
export function OpenExams({ without }: { without: readonly number[] }) {
  const { data } = useCall('GET /api/user/exam_list', { state: 'open', pageNum: 1, pageSize: 20 }, { staleTime: 0 });
  const open = (data?.list ?? [])
    .filter((line) => line.endsAt === null || line.endsAt > serverNow())
    // A clock runs: that stands at the top, whatever else shows it.
    .filter((line) => line.endsAt !== null || !without.includes(line.recordId))
    .sort((a, b) => (a.endsAt ?? Number.POSITIVE_INFINITY) - (b.endsAt ?? Number.POSITIVE_INFINITY));
  if (data === undefined || open.length === 0) return null;
  return (
    <section className={page.section} aria-labelledby="open-exams">
      <div className={page.sectionHead}>
        <h2 id="open-exams" className={page.sectionTitle}>
          {t('未完成的作答')}
        </h2>
        {data.total > most && <Link to={paths.myExams({ state: 'open' })}>{t('全部 {n} 份', { n: data.total })}</Link>}
      </div>
      <ul className={rows.rows}>
        {open.slice(0, most).map((line) => (
          <li key={line.recordId} className={classes.row}>
            <div className={classes.words}>
              <h3 className={classes.name}>{line.examName}</h3>
              <p className={rows.facts}>
                <span>{line.packName}</span>
                <span>{t('已答 {done} / {total} 题', { done: line.doneCount, total: line.totalQuestion })}</span>
                <Deadline line={line} />
              </p>
            </div>
            <Button component={Link} to={paths.exam(line.examId, { record: line.recordId })} className={classes.go}>
              {t('继续作答')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Milliseconds before its end in which that is told by minutes. */
const NAMED_BY_MINUTES = 180 * 60_000;

/** Until when; the day is named when it is not within a day, and a paper that ends within the hour stands out. */
function Deadline({ line }: { line: RecordLine }) {
  const now = serverNow();
  if (line.endsAt === null) return <span>{t('开始于 {moment}', { moment: formatMoment(line.startedAt, now) })}</span>;
  return (
    <span className={classes.deadline}>
      <IconClock size={14} aria-hidden />
      {line.endsAt - now <= NAMED_BY_MINUTES
        ? sayTimeLeft(line.endsAt, now)
        : t('{moment} 截止', { moment: formatMoment(line.endsAt, now) })}
    </span>
  );
}
