import { Link } from 'react-router';
import rows from '#ui/rows.module.css';
import { WaitButton } from '#ui/WaitButton.tsx';
import { useDailyStart } from '#web/exam/wrong/DailyCard.tsx';
import { paths } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import classes from './OpenExams.module.css';
import page from './page.module.css';

type DailyLine = Data<'GET /app/exam/daily_reviews'>['list'][number];

/** Today's review of each pack, on the home page. Nothing at all while nothing is under review. */
export function DailyReviews() {
  const { data } = useCall('GET /app/exam/daily_reviews', {}, { staleTime: 0 });
  if (data === undefined || data.list.length === 0) return null;
  return (
    <section className={page.section} aria-labelledby="daily-reviews">
      <div className={page.sectionHead}>
        <h2 id="daily-reviews" className={page.sectionTitle}>
          {t('今日复习')}
        </h2>
        <Link to={paths.wrongQuestions()}>{t('错题本')}</Link>
      </div>
      <ul className={rows.rows}>
        {data.list.map((line) => (
          <Row key={line.packId} line={line} />
        ))}
      </ul>
    </section>
  );
}

function Row({ line }: { line: DailyLine }) {
  const { start, waiting } = useDailyStart();
  const { packId, packName, count, done, total, daysLeft } = line;
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <h3 className={classes.name}>{packName}</h3>
        <p className={rows.facts}>
          <span>
            {count > 0
              ? t('今天还有 {count} 题', { count })
              : done > 0
                ? t('今天的复习已完成')
                : t('今天没有要复习的题')}
          </span>
          {done > 0 && <span>{t('已复习 {count} 题', { count: done })}</span>}
          <span>{t('共 {count} 题在复习', { count: total })}</span>
          {daysLeft !== null && daysLeft > 0 && <span>{t('距考试 {count} 天', { count: daysLeft })}</span>}
        </p>
      </div>
      {count > 0 && (
        <WaitButton waiting={waiting} onClick={() => void start(packId)} className={classes.go}>
          {t('开始复习')}
        </WaitButton>
      )}
    </li>
  );
}
