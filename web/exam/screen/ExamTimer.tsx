import { IconClock } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { formatLeft, formatSpent, timeLevel, timeToAnnounce } from '#rules/exam/countdown.ts';
import { Countdown } from '#ui/Countdown.tsx';
import { serverClock, serverNow } from '#web/lib/clock.ts';
import { t } from '#web/lib/t.ts';
import classes from './ExamBar.module.css';
import { useExam, useExamState } from './ExamContext.ts';

/** The time left by the server's clock, or the time spent where there is no limit. */
export function ExamTimer() {
  const exam = useExam();
  const endsAt = useExamState((state) => state.record.endsAt);
  const startedAt = useExamState((state) => state.record.startedAt);
  if (endsAt === null) return <Spent />;
  const whole = endsAt - startedAt;
  return (
    <span className={classes.timer}>
      <IconClock size={18} aria-hidden />
      <Countdown
        left={() => endsAt - serverNow()}
        format={formatLeft}
        level={(left) => timeLevel(left, whole)}
        announce={(before, left) => {
          const time = timeToAnnounce(before, left, whole);
          return time === null ? null : sayLeft(Math.floor(time / 60), time % 60);
        }}
        onTick={(left) => {
          // While the clock is in doubt (the machine slept) the server is asked first: a wrong clock must not end an exam.
          const doubt =
            serverClock.doubtful() && navigator.onLine ? { left: endsAt - serverClock.latest() } : undefined;
          if (left <= 0 || doubt || exam.getState().ending !== 'certain') {
            exam.dispatch({ type: 'tick', left, ...(doubt ? { doubt } : {}) });
          }
        }}
        label={t('剩余时间')}
        className={classes.time}
      />
    </span>
  );
}

function sayLeft(minutes: number, seconds: number): string {
  if (minutes === 0) return t('距离考试结束还有 {seconds} 秒', { seconds });
  return seconds === 0
    ? t('距离考试结束还有 {minutes} 分钟', { minutes })
    : t('距离考试结束还有 {minutes} 分 {seconds} 秒', { minutes, seconds });
}

/** Counts up once a second (spec §9). */
function Spent() {
  const { spent } = useExam();
  const [seconds, setSeconds] = useState(spent);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(spent()), 1000);
    return () => clearInterval(timer);
  }, [spent]);
  return (
    <span className={classes.timer}>
      <IconClock size={18} aria-hidden />
      <span role="timer" aria-live="off" aria-label={t('已用时间')} className={classes.time}>
        {formatSpent(seconds)}
      </span>
    </span>
  );
}
