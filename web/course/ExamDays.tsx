import { serverNow } from '#web/lib/clock.ts';
import { daysUntil } from '#web/lib/format.ts';
import { t } from '#web/lib/t.ts';
import classes from './ExamDays.module.css';

/** How far away the real exam is; nothing when the day is unknown or past. */
export function ExamDays({ examDate }: { examDate: string | null }) {
  const days = examDate === null ? null : daysUntil(examDate, serverNow());
  if (days === null || days < 0) return null;
  return (
    <span className={classes.days} data-soon={days <= 30 || undefined}>
      {days === 0 ? t('今天考试') : t('距考试 {days} 天', { days })}
    </span>
  );
}
