import { Link } from 'react-router';
import rows from '#ui/rows.module.css';
import { serverNow } from '#web/lib/clock.ts';
import { formatMoment } from '#web/lib/format.ts';
import { ImageThumbs } from '#web/lib/ImageThumbs.tsx';
import { paths } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './ReportWords.module.css';
import { typeWord } from './report-words.ts';
import { StateChip } from './StateChip.tsx';

type Report = Data<'GET /app/feedback/report'>;

/** What a student wrote, who they are, and who else reported the question. */
export function ReportWords({ report }: { report: Report }) {
  const now = serverNow();
  return (
    <>
      <p className={classes.top}>
        <StateChip state={report.state} />
        <b>{t(typeWord(report.feedbackType))}</b>
      </p>
      <blockquote className={classes.words}>{report.feedbackDesc}</blockquote>
      <ImageThumbs images={report} />
      <p className={rows.facts}>
        <span>{report.nickname}</span>
        <span>{report.validPhoneExt}</span>
        <span>{formatMoment(report.createdAt, now)}</span>
      </p>
      {report.lessonId !== null && (
        <p className={rows.facts}>
          <Link to={paths.play(report.packId, { lesson: report.lessonId })}>{report.lessonName}</Link>
          <span>{report.packName}</span>
        </p>
      )}
      {report.deviceName !== '' && <p className={classes.device}>{report.deviceName}</p>}
      {report.others > 0 && report.questionId !== null && (
        <p className={classes.others}>
          <Link to={paths.teachFeedback({ questionId: report.questionId })}>
            {t('另有 {count} 人反馈同一题', { count: report.others })}
          </Link>
        </p>
      )}
    </>
  );
}

/** Everything that was answered to a report, oldest first; nothing before the first answer. */
export function ReportAnswers({ answers }: { answers: Report['answers'] }) {
  if (answers.length === 0) return null;
  const now = serverNow();
  return (
    <section className={classes.answers} aria-labelledby="report-answers">
      <h2 id="report-answers">{t('处理记录')}</h2>
      <ol>
        {answers.map((answer) => (
          <li key={answer.version}>
            <p className={classes.top}>
              <StateChip state={answer.state} />
              <span className={classes.by}>
                {answer.nickname} · {formatMoment(answer.answeredAt, now)}
              </span>
            </p>
            {answer.answer !== '' && <p className={classes.answer}>{answer.answer}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
