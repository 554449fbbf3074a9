import { IconCalendarCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { DAILY_MOST } from '#contract/values/exam.ts';
import { dailyState, examDayState, lastDaysState } from '#rules/exam/daily-review.ts';
import { DayBars } from '#ui/DayBars.tsx';
import quiet from '#ui/quiet-select.module.css';
import { toast } from '#ui/toast.ts';
import { WaitButton } from '#ui/WaitButton.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { dayInChina, formatDay } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { type Data, failureText, type Input } from '#web/lib/send.ts';
import { sentences, t } from '#web/lib/t.ts';
import { useSend } from '#web/lib/useCall.ts';
import classes from './DailyCard.module.css';
import { useRenewIfGone } from './useRenewIfGone.ts';

type Daily = Data<'GET /app/exam/daily_review'>;
const DAY = 86_400_000;

/** Today's review of a pack: what is left of it, the way into it, its settings and the load of the next days. */
export function DailyCard({ daily }: { daily: Daily }) {
  const { start, waiting } = useDailyStart();
  const [open, setOpen] = useState(false);
  if (daily.total === 0) return null;
  const now = serverNow();
  const state = dailyState({ ...daily, open: daily.open !== null }, dayInChina(now), dayInChina(now + DAY));
  const left = state.code === 'left';
  return (
    <section className={classes.card} aria-labelledby="daily-review">
      <div className={classes.head}>
        <IconCalendarCheck size={30} stroke={1.5} aria-hidden className={classes.sign} />
        <div className={classes.words}>
          <h2 id="daily-review">{t('今日复习')}</h2>
          <p>
            {sayState(state, now)}
            {' · '}
            <ExamDay daysLeft={daily.daysLeft} />
          </p>
        </div>
        <button
          type="button"
          className={classes.more}
          aria-expanded={open}
          aria-controls="daily-plan"
          onClick={() => setOpen(!open)}
        >
          {open ? t('收起计划') : t('复习计划')}
        </button>
        {left && (
          <WaitButton waiting={waiting} onClick={() => void start(daily.packId)}>
            {daily.open ? t('继续复习') : t('开始复习')}
          </WaitButton>
        )}
      </div>
      <div id="daily-plan" hidden={!open}>
        {open && <Plan daily={daily} />}
      </div>
    </section>
  );
}

/** How today's review stands, in words. */
function sayState(state: ReturnType<typeof dailyState>, now: number): string {
  switch (state.code) {
    case 'left':
      return t('还有 {count} 题，今天已复习 {done} 题', { count: state.count, done: state.done });
    case 'done':
      return t('今天的复习已完成，共 {done} 题', { done: state.done });
    case 'next': {
      const day = state.inDays === 1 ? t('明天') : formatDay(Date.parse(`${state.date}T00:00:00+08:00`), now);
      return t('今天没有要复习的题，{day}有 {count} 题', { day, count: state.count });
    }
    case 'nothing':
      return t('今天没有要复习的题');
  }
}

/** How long it is to the exam. */
function ExamDay({ daysLeft }: { daysLeft: number | null }) {
  const state = examDayState(daysLeft);
  switch (state.code) {
    case 'unset':
      return <span>{t('还没有设置考试日期')}</span>;
    case 'over':
      return <span>{t('考试日期已过')}</span>;
    case 'today':
      return <span>{t('今天考试')}</span>;
    case 'ahead':
      return <span>{t('距考试 {count} 天', { count: state.count })}</span>;
  }
}

function Plan({ daily }: { daily: Daily }) {
  const { packId, dailySize, examDate, ownExamDate, packExamDate } = daily;
  const save = useSend('POST /app/exam/study_settings', {
    renews: ['GET /app/exam/daily_review', 'GET /app/exam/daily_reviews'],
  });
  const now = serverNow();
  const change = async (settings: Omit<Input<'POST /app/exam/study_settings'>, 'packId'>) => {
    try {
      await save.mutateAsync({ packId, ...settings });
      toast(t('复习计划已更新'), 'good');
    } catch (error) {
      toast(failureText(error), 'bad');
    }
  };
  const sizes = [...new Set([10, 20, 30, 50, 80, 100, DAILY_MOST, dailySize])].sort((a, b) => a - b);
  return (
    <div className={classes.plan}>
      <div className={classes.settings}>
        <label>
          <span>{t('考试日期')}</span>
          <input
            type="date"
            className={quiet.select}
            key={examDate}
            defaultValue={examDate ?? ''}
            min={dayInChina(now)}
            onBlur={(event) => {
              const { value } = event.currentTarget;
              if (value !== '' && value !== examDate) void change({ examDate: value });
            }}
          />
        </label>
        {ownExamDate !== null && (
          <button type="button" className={classes.back} onClick={() => void change({ examDate: null })}>
            {packExamDate === null ? t('不设考试日期') : t('改回课程的日期')}
          </button>
        )}
        <label>
          <span>{t('每天复习')}</span>
          <select
            className={quiet.select}
            value={dailySize}
            onChange={(event) => void change({ dailySize: Number(event.currentTarget.value) })}
          >
            {sizes.map((size) => (
              <option key={size} value={size}>
                {t('{count} 题', { count: size })}
              </option>
            ))}
          </select>
        </label>
      </div>
      <DayBars
        title={t('未来 {count} 天的复习量', { count: daily.forecast.length })}
        valueName={t('复习')}
        moreName={t('顺延到第二天')}
        bars={daily.forecast.map(({ date, reviews, carried }) => {
          const day = Date.parse(`${date}T00:00:00+08:00`);
          return { name: formatDay(day, now), short: String(Number(date.slice(8))), value: reviews, more: carried };
        })}
      />
      <p className={classes.about}>
        {sentences(
          t('错题、蒙对的题和收藏的题按遗忘规律安排复习，答错的更早再来。在任何练习里作答都算复习。'),
          lastWeek(daily),
        )}
      </p>
    </div>
  );
}

/** What the last days before the exam hold: every question once more, where the daily number allows it. */
function lastWeek(daily: Daily): string | false {
  const state = lastDaysState(daily, DAILY_MOST);
  if (state === null) return false;
  const { total } = daily;
  switch (state.code) {
    case 'all':
      return t('考前最后一周会把每道题再过一遍。');
    case 'more':
      return t('要在考前最后几天把 {total} 道题都再过一遍，每天要复习 {need} 题。', { total, need: state.need });
    case 'tooMany':
      return t('考前最后几天过不完全部 {total} 道题，先复习最容易忘的。', { total });
  }
}

/** Opens today's review of a pack in the exam screen; `waiting` while it is made. `make` makes it alone, and fails as its call does. */
export function useDailyStart() {
  const navigate = useNavigate();
  const renewIfGone = useRenewIfGone();
  const begin = useSend('POST /app/exam/daily_start', { renews: ['GET /app/exam/daily_review'] });
  const make = async (packId: number): Promise<string> => {
    const now = serverNow();
    const name = t('{list} {day}', { list: t('今日复习'), day: formatDay(now, now) });
    const { examId } = await begin.mutateAsync({ packId, name });
    return paths.exam(examId);
  };
  const start = async (packId: number) => {
    try {
      void navigate(await make(packId));
    } catch (error) {
      toast(failureText(error), 'bad');
      await renewIfGone(error);
    }
  };
  return { start, make, waiting: begin.isPending };
}
