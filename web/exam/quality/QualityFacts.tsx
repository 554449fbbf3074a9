import { IconAlertTriangle } from '@tabler/icons-react';
import type { GradeMode, LookReason } from '#contract/values/exam.ts';
import { formatRate } from '#web/lib/format.ts';
import { t } from '#web/lib/t.ts';
import classes from './QualityFacts.module.css';
import { gradeModeWords, reasonWords } from './quality-words.ts';

interface Figures {
  answered: number;
  rightRate: number | null;
  discrimination: number | null;
}

/** How a question fares in three figures; below forty students its discrimination says nothing. */
export function QualityFacts({ answered, rightRate, discrimination }: Figures) {
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{t('作答人数')}</dt>
        <dd>{answered}</dd>
      </div>
      <div>
        <dt>{t('正确率')}</dt>
        <dd>{rightRate === null ? '—' : formatRate(rightRate)}</dd>
      </div>
      <div>
        <dt>{t('区分度')}</dt>
        <dd data-low={(discrimination !== null && discrimination < 0.2) || undefined}>
          {discrimination === null ? '—' : discrimination.toFixed(2)}
        </dd>
      </div>
    </dl>
  );
}

/** Why a question needs a look, and how it is graded where that is not by its key. */
export function QualityReasons({
  reasons,
  reports,
  gradeMode,
}: {
  reasons: readonly LookReason[];
  reports: number;
  gradeMode: GradeMode;
}) {
  if (reasons.length === 0 && gradeMode === 'key') return null;
  return (
    <ul className={classes.reasons}>
      {gradeMode !== 'key' && <li data-grading>{t(gradeModeWords[gradeMode])}</li>}
      {reasons.map((reason) => (
        <li key={reason} data-reason={reason}>
          <IconAlertTriangle size={15} aria-hidden />
          {reason === 'reported' ? t('{count} 条反馈待处理', { count: reports }) : t(reasonWords[reason])}
        </li>
      ))}
    </ul>
  );
}
