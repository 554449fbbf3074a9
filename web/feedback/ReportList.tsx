import { Link } from 'react-router';
import { formulaLine } from '#ui/formula-line.ts';
import { RichText } from '#ui/RichText.tsx';
import rows from '#ui/rows.module.css';
import { plainText } from '#ui/safe-html.ts';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './ReportList.module.css';
import { typeWord } from './report-words.ts';
import { StateChip } from './StateChip.tsx';

type Line = Data<'GET /app/feedback/reports'>['list'][number];

/** What students reported, under each other; each leads to its report. */
export function ReportList({ list, to }: { list: readonly Line[]; to: (id: number) => string }) {
  const now = serverNow();
  return (
    <ul className={rows.rows}>
      {list.map((line) => (
        <li key={line.id}>
          <Link to={to(line.id)} className={classes.row}>
            <span className={classes.top}>
              <StateChip state={line.state} />
              <span className={classes.type}>{t(typeWord(line.feedbackType))}</span>
              {line.others > 0 && (
                <span className={classes.others}>{t('另有 {count} 人反馈同一题', { count: line.others })}</span>
              )}
            </span>
            <span className={classes.words}>{line.feedbackDesc}</span>
            {line.topic !== '' && (
              <RichText html={formulaLine(plainText(line.topic), 80)} className={classes.topic} zoom={false} />
            )}
            <span className={rows.facts}>
              <span>{line.nickname}</span>
              <span>{line.validPhoneExt}</span>
              <span>{line.packName}</span>
              {line.lessonName !== '' && <span>{line.lessonName}</span>}
              <span>{formatMoment(line.createdAt, now)}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
