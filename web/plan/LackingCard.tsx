import { IconHourglassHigh } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { PLAN_MOST } from '#contract/values/plan.ts';
import { toast } from '#ui/toast.ts';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { type Data, failureText } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './LackingCard.module.css';
import { sayHours, sayMinutes } from './words.ts';

type Today = Data<'GET /app/plan/today'>;

/** So many of what could be left out are named before one asks for all. */
const NAMED = 4;

/** What cannot fit before the exams, and the two ways out: more minutes a day, or leaving things out. */
export function LackingCard({
  lacking,
  weekMinutes,
}: {
  lacking: NonNullable<Today['lacking']>;
  weekMinutes: number[];
}) {
  const renews = ['GET /app/plan/today'] as const;
  const minutes = useSend('POST /app/plan/minutes', { renews });
  const leave = useSend('POST /app/plan/leave_out', { renews });
  const [all, setAll] = useState(false);
  const card = useRef<HTMLElement>(null);
  useSwapFocus(card, all);
  const { moreMinutes, enough } = lacking;
  const shown = all ? lacking.leave : lacking.leave.slice(0, NAMED);
  const more = lacking.leave.length - shown.length;
  const save = async (saving: Promise<unknown>) => {
    try {
      await saving;
      toast(t('计划已重新排好'), 'good');
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  const lengthen = (by: number) =>
    save(minutes.mutateAsync({ weekMinutes: weekMinutes.map((of) => (of === 0 ? 0 : Math.min(PLAN_MOST, of + by))) }));
  const leaveOut = () =>
    save(leave.mutateAsync({ out: 1, list: lacking.leave.map(({ packId, kind, id }) => ({ packId, kind, id })) }));
  const waits = minutes.isPending || leave.isPending;
  return (
    <section ref={card} tabIndex={-1} className={classes.card} aria-labelledby="plan-lacking">
      <div className={classes.head}>
        <IconHourglassHigh size={22} stroke={1.6} aria-hidden />
        <div>
          <h2 id="plan-lacking" className={classes.title}>
            {t('还差 {time}', { time: sayHours(lacking.minutes) })}
          </h2>
          <p>{t('照现在的时间，考试前学不完所有内容。可以这样调整：')}</p>
        </div>
      </div>
      <div className={classes.ways}>
        <div className={classes.way}>
          {moreMinutes === null ? (
            <>
              <h3>{t('多学一会儿')}</h3>
              <p>{t('只多学一些时间还不够。请看看哪些可以先不学，或者换一个考试日期。')}</p>
            </>
          ) : (
            <>
              <h3>{t('每个学习日多学 {time}', { time: sayMinutes(moreMinutes) })}</h3>
              <p>{t('全部内容都能在考试前学完。')}</p>
              <WaitButton
                variant="default"
                waiting={minutes.isPending}
                blocked={waits}
                onClick={() => void lengthen(moreMinutes)}
              >
                {t('就这样排')}
              </WaitButton>
            </>
          )}
        </div>
        {lacking.leave.length > 0 && (
          <div className={classes.way}>
            <h3>{t('先不学这些')}</h3>
            <ul className={classes.leave} tabIndex={-1} data-takes-focus>
              {shown.map(({ packId, kind, id, name, minutes }) => (
                <li key={`${packId} ${kind} ${id}`}>
                  <span>{name}</span>
                  <span className={classes.minutes}>{sayMinutes(minutes)}</span>
                </li>
              ))}
            </ul>
            {more > 0 && (
              <button type="button" className={classes.more} onClick={() => setAll(true)}>
                {t('还有 {count} 项', { count: more })}
              </button>
            )}
            {enough === 0 && <p>{t('不学这些也还不够，但会好得多。')}</p>}
            <WaitButton variant="default" waiting={leave.isPending} blocked={waits} onClick={() => void leaveOut()}>
              {t('先不学这些')}
            </WaitButton>
          </div>
        )}
      </div>
    </section>
  );
}
