import { WaitingComments } from '#web/comment/WaitingComments.tsx';
import { SittingNow } from '#web/exam/invigilating/SittingNow.tsx';
import { WaitingLooks } from '#web/exam/quality/WaitingLooks.tsx';
import { WaitingReports } from '#web/feedback/WaitingReports.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatDay } from '#web/lib/format.ts';
import { useMe } from '#web/lib/me.ts';
import { t } from '#web/lib/t.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { LivesToday } from '#web/live/LivesToday.tsx';
import { WaitingQuestions } from '#web/qa/WaitingQuestions.tsx';
import page from './page.module.css';
import classes from './TeachHomePage.module.css';

/** A teacher's home: what waits for them, of each feature. */
export default function TeachHomePage() {
  useTitle(t('教师工作台'));
  const { me } = useMe();
  const now = serverNow();
  return (
    <>
      <h1 className={page.title}>{t('{name}，您好', { name: me?.nickname ?? '' })}</h1>
      <p className={page.lead}>{t('今天是 {day}', { day: formatDay(now, now) })}</p>
      <div className={classes.cards}>
        <WaitingQuestions />
        <WaitingReports />
        <LivesToday />
        <SittingNow />
        <WaitingLooks />
        <WaitingComments />
      </div>
    </>
  );
}
