import { IconAdjustmentsHorizontal, IconCircleCheck, IconMoon } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { nearestExam } from '#rules/university/goal.ts';
import { TextBones } from '#ui/Bones.tsx';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { PackShelf } from '#web/course/PackShelf.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { formatDay } from '#web/lib/format.ts';
import type { Me } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { currentLanguage, sentences, t } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { OwnNextLives } from '#web/live/NextLives.tsx';
import { ExamDates } from '#web/plan/ExamDates.tsx';
import { LackingCard } from '#web/plan/LackingCard.tsx';
import { PlanSettings } from '#web/plan/PlanSettings.tsx';
import { TaskList } from '#web/plan/TaskList.tsx';
import { WeekAhead } from '#web/plan/WeekAhead.tsx';
import { sayGreeting, sayMinutes, sayTask, weekdayOf } from '#web/plan/words.ts';
import { GoalCard } from '#web/university/GoalCard.tsx';
import { aroundLives } from './around-lives.tsx';
import { useBeginTask } from './begin-task.ts';
import { OpenExams } from './OpenExams.tsx';
import page from './page.module.css';
import classes from './StudentHome.module.css';

type Today = Data<'GET /app/plan/today'>;

/** 今日: the home page of a student is a plan. What to do now, in the days ahead, and until the exam; then the packs. */
export function StudentHome({ me }: { me: Me }) {
  const now = serverNow();
  const call = useCall('GET /app/plan/today', {}, { staleTime: 0 });
  const weekday = new Intl.DateTimeFormat(currentLanguage(), { weekday: 'long', timeZone: 'Asia/Shanghai' }).format(
    now,
  );
  return (
    <>
      <h1 className={page.title}>{sayGreeting(me.nickname, call.data)}</h1>
      <p className={page.lead}>{t('今天是 {day}，{weekday}', { day: formatDay(now, now), weekday })}</p>
      <CallState
        call={call}
        skeleton={
          <div className={classes.columns}>
            <TextBones lines={8} />
          </div>
        }
      >
        {(today) => <Plan today={today} />}
      </CallState>
      <OwnNextLives around={aroundLives} />
      <section className={page.section} aria-labelledby="my-packs">
        <div className={page.sectionHead}>
          <h2 id="my-packs" className={page.sectionTitle}>
            {t('我的课程')}
          </h2>
          <Link to={paths.courses()}>{t('全部课程')}</Link>
        </div>
        <PackShelf
          of="me"
          heading="h3"
          examDates={new Map(call.data?.packs.map(({ packId, examDate }) => [packId, examDate]))}
        />
      </section>
    </>
  );
}

function Plan({ today }: { today: Today }) {
  const { begin, opening, lost } = useBeginTask();
  const [settings, setSettings] = useState(false);
  const main = useRef<HTMLDivElement>(null);
  // What was lacking is not any more: the plan that was made anew is read from its head.
  useSwapFocus(main, today.lacking === null);
  const { tasks, packs, lacking, week, moved } = today;
  const exam = nearestExam(
    packs.map((pack) => ({ ...pack, packageName: pack.packName })),
    today.date,
  );
  // Without a pack there is nothing to plan: the shelf below says so, and the way to the courses.
  if (packs.length === 0)
    return (
      <div className={classes.alone}>
        <OpenExams without={[]} />
        <GoalCard exam={null} />
      </div>
    );
  const planned = packs.filter((pack) => pack.planned === 1);
  return (
    <div className={classes.columns}>
      <div ref={main} tabIndex={-1} className={classes.main}>
        <OpenExams without={tasks.flatMap(({ recordId }) => recordId ?? [])} />
        <section className={page.section} aria-labelledby="today">
          <div className={classes.head}>
            <h2 id="today" className={page.sectionTitle} tabIndex={-1} data-takes-focus>
              {t('今日')}
            </h2>
            <p className={classes.sum} aria-live="polite">
              {sumOf(today)}
            </p>
            <button
              type="button"
              className={classes.adjust}
              aria-expanded={settings}
              aria-controls="plan-settings"
              onClick={() => setSettings(!settings)}
            >
              <IconAdjustmentsHorizontal size={16} aria-hidden />
              {settings ? t('收起') : t('调整计划')}
            </button>
          </div>
          <div id="plan-settings" hidden={!settings}>
            {settings && <PlanSettings today={today} />}
          </div>
          {tasks.length > 0 && (
            <TaskList
              tasks={tasks}
              named={planned.length > 1}
              opening={opening}
              lost={lost}
              dayMinutes={today.weekMinutes[weekdayOf(today.date)] ?? 0}
              onBegin={(task) => void begin(task)}
            />
          )}
          <Quiet today={today} />
          <p className={classes.notes}>
            {sentences(
              moved > 0 && t('上次没做完的 {count} 项，已经重新排进来了。', { count: moved }),
              today.chosen === 0 && planned.length > 0 && t('先按每天 1 小时安排，可以在“调整计划”里改成您的时间。'),
            )}
          </p>
        </section>
        {lacking && <LackingCard lacking={lacking} weekMinutes={today.weekMinutes} />}
        {planned.length > 0 && (
          <section className={page.section} aria-labelledby="week-ahead">
            <div className={page.sectionHead}>
              <h2 id="week-ahead" className={page.sectionTitle}>
                {t('接下来几天')}
              </h2>
            </div>
            <WeekAhead week={week} />
          </section>
        )}
      </div>
      <aside className={classes.aside} aria-label={t('目标与考试')}>
        <GoalCard exam={exam} />
        <ExamDates packs={packs} />
      </aside>
    </div>
  );
}

/** How much of the day is left. */
function sumOf({ tasks }: Today): string {
  const open = tasks.filter(({ done }) => done === 0);
  if (tasks.length === 0 || open.length === 0) return '';
  const minutes = open.reduce((sum, task) => sum + task.minutes, 0);
  return t('还有 {count} 项，约 {time}', { count: open.length, time: sayMinutes(minutes) });
}

/** What stands there when nothing is to be done today, or not any more: that it is so, and what comes next. */
function Quiet({ today: { date, tasks, week, weekMinutes, packs } }: { today: Today }) {
  if (tasks.some(({ done }) => done === 0)) return null;
  const off = weekMinutes[weekdayOf(date)] === 0;
  const planned = packs.filter((pack) => pack.planned === 1);
  const nothingLeft = planned.length > 0 && planned.every(({ minutesLeft }) => minutesLeft === 0);
  const exam = packs.some(({ daysLeft }) => daysLeft === 0);
  const next = week.find((day) => day.tasks.length > 0);
  const [first] = next?.tasks ?? [];
  const Icon = off && tasks.length === 0 ? IconMoon : IconCircleCheck;
  return (
    <div className={classes.quiet} data-after={tasks.length > 0 || undefined}>
      <Icon size={30} stroke={1.5} aria-hidden />
      <div>
        <p className={classes.said}>
          {tasks.length > 0
            ? t('今天的都做完了')
            : exam
              ? t('今天考试，祝您考出真实水平')
              : planned.length === 0
                ? t('没有排进计划的课程')
                : off
                  ? t('今天休息')
                  : nothingLeft
                    ? t('课程里的内容都学完了')
                    : t('今天没有安排')}
        </p>
        <p className={classes.next}>
          {planned.length === 0
            ? t('考试已过，或者课程没有排进计划。在“考试日期”里设一个新的日期，或在“调整计划”里选上课程。')
            : next && first
              ? t('下一项在{day}：{task}', {
                  day: formatDay(Date.parse(`${next.date}T00:00:00+08:00`), serverNow()),
                  task: sayTask(first),
                })
              : t('有新的内容或到期的复习时，会排到这里。')}
        </p>
      </div>
    </div>
  );
}
