import { Link } from 'react-router';
import { ENDED, LIVE, REPLAY } from '#contract/values/live.ts';
import { serverNow } from '#web/lib/clock.ts';
import { formatDay } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { currentLanguage, t } from '#web/lib/t.ts';
import { byDay, namedDay } from './day-groups.ts';
import { LiveAction } from './LiveAction.tsx';
import { type LiveLesson, LiveState, liveTimes, Teacher } from './LiveFacts.tsx';
import classes from './LiveRows.module.css';

/** A day as a heading says it: 今天, 11月25日 星期三. */
function dayWords(day: string, now: number): string {
  const noon = Date.parse(`${day}T12:00:00+08:00`);
  const weekday = new Intl.DateTimeFormat(currentLanguage(), { weekday: 'long', timeZone: 'Asia/Shanghai' }).format(
    noon,
  );
  const named = namedDay(day, now);
  const words = { day: formatDay(noon, now), weekday };
  if (named === 'today') return t('今天，{day} {weekday}', words);
  return named === 'tomorrow' ? t('明天，{day} {weekday}', words) : t('{day} {weekday}', words);
}

interface Props {
  list: readonly LiveLesson[];
  signedIn: boolean;
  /** Says of each lesson which pack it belongs to. */
  named?: boolean;
  heading?: 'h2' | 'h3';
}

const isOver = ({ state }: LiveLesson) => state === ENDED || state === REPLAY;

/** Live lessons in groups of their days, what is over below what is to come, each with how it stands and the one thing to do. */
export function LiveRows({ list, ...props }: Props) {
  const [over, ahead] = [list.filter(isOver), list.filter((lesson) => !isOver(lesson))];
  return (
    <div className={classes.groups}>
      {ahead.length > 0 && <Days {...props} list={ahead} />}
      {over.length > 0 && ahead.length > 0 && <p className={classes.over}>{t('以下已经结束')}</p>}
      {over.length > 0 && <Days {...props} list={over} />}
    </div>
  );
}

function Days({ list, signedIn, named = false, heading: Heading = 'h2' }: Props) {
  const now = serverNow();
  return byDay(list).map(({ day, lessons }) => (
    <section key={`${day}-${lessons[0]?.id}`} aria-label={dayWords(day, now)}>
      <Heading className={classes.day}>{dayWords(day, now)}</Heading>
      <ul className={classes.rows}>
        {lessons.map((lesson) => (
          <li key={lesson.id} className={classes.row}>
            <span className={classes.time}>{liveTimes(lesson)}</span>
            <div>
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
                {named && <span lang="zh-CN">{lesson.packName}</span>}
              </p>
            </div>
            <div className={classes.act}>
              <LiveAction lesson={lesson} signedIn={signedIn} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  ));
}
