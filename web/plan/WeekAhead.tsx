import { IconFlag3 } from '@tabler/icons-react';
import type { PlanKind } from '#contract/values/plan.ts';
import { serverNow } from '#web/lib/clock.ts';
import { formatDay } from '#web/lib/format.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './WeekAhead.module.css';
import { kindIcons, momentOf, sayMinutes, weekdayOf, weekdays } from './words.ts';

type Week = Data<'GET /app/plan/today'>['week'];
type Day = Week[number];

/** The days after today at a glance. */
export function WeekAhead({ week }: { week: Week }) {
  const now = serverNow();
  const names = weekdays();
  return (
    <ol className={classes.week}>
      {week.map((day) => (
        <li key={day.date} className={classes.day} data-off={day.off === 1 || undefined}>
          <h3 className={classes.head}>
            <span>{names[weekdayOf(day.date)]}</span>
            <span className={classes.date}>{formatDay(momentOf(day.date), now)}</span>
          </h3>
          <ul className={classes.what}>
            {day.exams.map((pack) => (
              <li key={pack} className={classes.exam} title={pack}>
                <IconFlag3 size={15} aria-hidden />
                <span>
                  <span className="unseen">{t('考试')} </span>
                  {pack}
                </span>
              </li>
            ))}
            {linesOf(day).map(({ kind, words }) => {
              const Icon = kindIcons[kind];
              return (
                <li key={kind}>
                  <Icon size={15} stroke={1.7} aria-hidden />
                  <span>{words}</span>
                </li>
              );
            })}
            {day.tasks.length === 0 && day.exams.length === 0 && (
              <li className={classes.rest}>{day.off === 1 ? t('休息') : t('没有安排')}</li>
            )}
          </ul>
          {day.minutes > 0 && <p className={classes.minutes}>{sayMinutes(day.minutes)}</p>}
        </li>
      ))}
    </ol>
  );
}

/** What a day has, one line a kind. */
function linesOf({ tasks }: Day): { kind: PlanKind; words: string }[] {
  const of = (kind: PlanKind) => tasks.filter((task) => task.kind === kind);
  const count = (kind: PlanKind) => of(kind).reduce((sum, task) => sum + task.count, 0);
  const lines: [PlanKind, string][] = [
    ['review', t('复习 {count} 题', { count: count('review') })],
    ['paper', of('paper')[0]?.name ?? ''],
    ['lesson', t('{count} 节课', { count: of('lesson').length })],
    ['practice', t('练 {count} 题', { count: count('practice') })],
  ];
  return lines.flatMap(([kind, words]) => (of(kind).length > 0 ? [{ kind, words }] : []));
}
