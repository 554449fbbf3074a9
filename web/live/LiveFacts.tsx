import { formatDay } from '#web/lib/format.ts';
import type { Data } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import classes from './LiveFacts.module.css';

/** A live lesson as one person sees it. */
export type LiveLesson = Data<'GET /app/live/list'>['list'][number];

/** The words of the chip; spec §4's own words stand on the button (LiveAction.tsx). */
const stateWords: Readonly<Record<LiveLesson['state'], string>> = {
  1: msg('未开始'),
  2: msg('正在直播'),
  3: msg('有回放'),
  4: msg('已结束'),
};

/** The time of a lesson by China's clocks: 19:00–21:00, and the day of its end where that is another. */
export function liveTimes({ startTime, endTime }: Pick<LiveLesson, 'startTime' | 'endTime'>): string {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Shanghai', hour: '2-digit', minute: '2-digit' });
  const [from, until] = [formatDay(startTime, startTime), formatDay(endTime, startTime)];
  return `${clock.format(startTime)}–${from === until ? '' : `${until} `}${clock.format(endTime)}`;
}

/** The chip that says how a lesson stands. */
export function LiveState({ state }: Pick<LiveLesson, 'state'>) {
  return (
    <span className={classes.state} data-state={state}>
      {t(stateWords[state])}
    </span>
  );
}

/** Who teaches, with their picture where there is one. */
export function Teacher({ lesson }: { lesson: Pick<LiveLesson, 'teacherName' | 'teacherAvatarUrl'> }) {
  return (
    <span className={classes.teacher} lang="zh-CN">
      {lesson.teacherAvatarUrl !== '' && <img src={lesson.teacherAvatarUrl} alt="" className={classes.face} />}
      {lesson.teacherName}
    </span>
  );
}
