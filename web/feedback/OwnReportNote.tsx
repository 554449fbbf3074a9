import { LARGEST_PAGE_SIZE } from '#contract/values/paging.ts';
import { t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import classes from './OwnReportNote.module.css';
import { answerWords } from './report-words.ts';
import { StateChip } from './StateChip.tsx';

/** Beside a question that one reported: what became of the newest report. Nothing where there is none. */
export function OwnReportNote({ questionId }: { questionId: number }) {
  // One question after the other asks the same: once a minute is enough.
  const input = { pageNum: 1, pageSize: LARGEST_PAGE_SIZE };
  const { data } = useCall('GET /app/feedback/history', input, { staleTime: 60_000 });
  const report = data?.list.find((own) => own.questionId === questionId && !own.withheld);
  if (!report) return null;
  return (
    <div className={classes.note}>
      <p className={classes.top}>
        {t('您反馈过这道题')}
        <StateChip state={report.state} />
      </p>
      {report.answeredAt !== null && <p className={classes.answer}>{answerWords(report)}</p>}
    </div>
  );
}
