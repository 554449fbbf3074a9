import { formulaLine } from '#ui/formula-line.ts';
import { RichText } from '#ui/RichText.tsx';
import rows from '#ui/rows.module.css';
import { plainText } from '#ui/safe-html.ts';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { ImageThumbs } from '#web/lib/ImageThumbs.tsx';
import type { Data } from '#web/lib/send.ts';
import { send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { callKey } from '#web/lib/useCall.ts';
import { useSeen } from '#web/lib/useSeen.ts';
import classes from './OwnReportList.module.css';
import { answerWords, typeWord } from './report-words.ts';
import { StateChip } from './StateChip.tsx';

type OwnReport = Data<'GET /app/feedback/history'>['list'][number];

/** Own reports under each other. To be shown is to be looked at; the marks of what is new stay until one comes again. */
export function OwnReportList({ list }: { list: readonly OwnReport[] }) {
  useSeen(
    list,
    (fresh) => send('POST /app/feedback/seen', { seen: fresh.map(({ id, version }) => ({ id, version })) }),
    callKey('GET /app/feedback/unread', {}),
  );
  const now = serverNow();
  return (
    <ul className={rows.rows}>
      {list.map((report) => (
        <li key={report.id} className={classes.row}>
          <p className={classes.top}>
            {report.withheld ? null : <StateChip state={report.state} />}
            <span className={classes.type}>{t(typeWord(report.feedbackType))}</span>
            {report.unread && <span className={classes.fresh}>{t('新回复')}</span>}
          </p>
          {report.topic !== '' && (
            <RichText html={formulaLine(plainText(report.topic), 80)} className={classes.topic} zoom={false} />
          )}
          <p className={classes.words}>{report.feedbackDesc}</p>
          <ImageThumbs images={report} />
          <p className={rows.facts}>
            <span>{report.packName}</span>
            {report.lessonName !== '' && <span>{report.lessonName}</span>}
            <span>{formatMoment(report.createdAt, now)}</span>
          </p>
          {report.withheld && <p className={classes.withheld}>{t('考试中暂不显示处理结果，交卷后可以查看。')}</p>}
          {report.answeredAt !== null && (
            <div className={classes.answer}>
              <p>{answerWords(report)}</p>
              <p className={classes.by}>{t('老师回复于 {moment}', { moment: formatMoment(report.answeredAt, now) })}</p>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
