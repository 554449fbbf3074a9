import { Link } from 'react-router';
import { LIVE, REPLAY } from '#contract/values/live.ts';
import { serverNow } from '#web/lib/clock.ts';
import { formatDay } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { currentLanguage, msg, t } from '#web/lib/t.ts';
import { byDay, namedDay } from './day-groups.ts';
import { LiveAction } from './LiveAction.tsx';
import classes from './LiveRows.module.css';

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

/** A day as a heading says it: 今天, 11月25日 星期三. */
function dayWords(day: string, now: number): string {
  const noon = Date.parse(`${day}T12:00:00+08:00`);
  const weekday = new Intl.DateTimeFormat(currentLanguage(), { weekday: 'long', timeZone: 'Asia/Shanghai' }).format(noon);
  const named = namedDay(day, now);
  const words = { day: formatDay(noon, now), weekday };
  if (named === 'today') return t('今天，{day} {weekday}', words);
  return named === 'tomorrow' ? t('明天，{day} {weekday}', words) : t('{day} {weekday}', words);
}

/** The chip that says how a lesson stands. */
export function LiveState({ state }: Pick<LiveLesson, 'state'>) {
  return (
    <span className={classes.state} data-state={state}>
      {t(stateWords[state])}
    </span>
  );
}

interface Props {
  list: readonly LiveLesson[];
  signedIn: boolean;
  /** Says of each lesson which pack it belongs to. */
  named?: boolean;
  heading?: 'h2' | 'h3';
}

/** Live lessons in groups of their days, each with how it stands and the one thing to do. */
export function LiveRows({ list, signedIn, named = false, heading: Heading = 'h2' }: Props) {
  const now = serverNow();
  return (
    <div className={classes.groups}>
      {byDay(list).map(({ day, lessons }) => (
        <section key={`${day}-${lessons[0]?.id}`} aria-label={dayWords(day, now)}>
          <Heading className={classes.day}>{dayWords(day, now)}</Heading>
          <ul className={classes.rows}>
            {lessons.map((lesson) => (
              <li key={lesson.id} className={classes.row}>
                <span className={classes.time}>{liveTimes(lesson)}</span>
                <div className={classes.what}>
                  <p className={classes.name}>
                    <Link
                      to={
                        lesson.state === REPLAY
                          ? paths.playBack({ liveId: lesson.id })
                          : paths.livePage({ liveId: lesson.id, state: lesson.state })
                      }
                      lang="zh-CN"
                    >
                      {lesson.title}
                    </Link>
                  </p>
                  <p className={classes.facts}>
                    {lesson.state === LIVE && <LiveState state={LIVE} />}
                    <Teacher lesson={lesson} />
                    {named && (
                      <Link to={paths.course(lesson.packId)} lang="zh-CN">
                        {lesson.packName}
                      </Link>
                    )}
                  </p>
                </div>
                <div className={classes.act}>
                  <LiveAction lesson={lesson} signedIn={signedIn} />
                </div>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
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
