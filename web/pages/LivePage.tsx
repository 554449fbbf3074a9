import { Button } from '@mantine/core';
import { IconCalendarPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import { ENDED, LIVE, OTHER_PLATFORM, REPLAY, UPCOMING } from '#contract/values/live.ts';
import { TextBones } from '#ui/Bones.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { toast } from '#ui/toast.ts';
import { NotFound } from '#web/app/NotFound.tsx';
import { CallState } from '#web/lib/CallState.tsx';
import { serverNow } from '#web/lib/clock.ts';
import { daysUntil, formatDay } from '#web/lib/format.ts';
import { idFrom, paths } from '#web/lib/paths.ts';
import { useQuery } from '#web/lib/query.ts';
import { saveText } from '#web/lib/save-file.ts';
import { type Data, failureText, send } from '#web/lib/send.ts';
import { t, tIn } from '#web/lib/t.ts';
import { useCall } from '#web/lib/useCall.ts';
import { useTitle } from '#web/lib/useTitle.ts';
import { untilNextChange } from '#web/live/day-groups.ts';
import { LiveAction } from '#web/live/LiveAction.tsx';
import { LiveState, liveTimes, Teacher } from '#web/live/LiveFacts.tsx';
import { LiveRoom } from '#web/live/LiveRoom.tsx';
import classes from './LivePage.module.css';
import { NotJoined } from './NotJoined.tsx';
import page from './page.module.css';

type Lesson = Data<'GET /app/live/room'>;

/** How often it is asked whether the replay of a lesson is there, within a day after it (milliseconds). */
const REPLAY_LOOK = 10_000;
const DAY = 86_400_000;

/** The room of this site, with something to see in it: what is live there, or its replay. */
const isRoom = ({ livePlatform, state, replayFileId }: Lesson) =>
  livePlatform !== OTHER_PLATFORM && (state === LIVE || (state === REPLAY && replayFileId !== 0));

const waitsForReplay = ({ livePlatform, state, endTime }: Lesson, now: number) =>
  livePlatform !== OTHER_PLATFORM && state === ENDED && now < endTime + DAY;

/** One live lesson: when it is, booking it, the way in, and its replay (spec §2 `/livePage/index.html`, `/playBack/index.html`). */
export default function LivePage() {
  const [search] = useQuery();
  const liveId = idFrom(search.get('liveId'));
  const call = useCall(
    'GET /app/live/room',
    { liveId: liveId ?? 0 },
    {
      enabled: liveId !== null,
      staleTime: 0,
      refetchInterval: (last) =>
        last === undefined
          ? false
          : waitsForReplay(last, serverNow())
            ? REPLAY_LOOK
            : untilNextChange([last], serverNow()),
    },
  );
  useTitle(call.data?.title ?? tIn('nav', '直播'));
  if (liveId === null) return <NotFound />;
  // It was there, and is no more: who is in it is told so.
  if (call.data && call.error?.why === 'notFound')
    return (
      <div className={`${page.page} ${page.narrow}`} role="alert">
        <EmptyState
          text={t('“{title}”已取消或下架', { title: call.data.title })}
          action={
            <Button component={Link} to={paths.lives()}>
              {t('全部直播')}
            </Button>
          }
        />
      </div>
    );
  return (
    <div className={`${page.page} ${call.data && isRoom(call.data) ? '' : page.narrow}`}>
      <CallState
        call={call}
        skeleton={<TextBones lines={6} />}
        refusals={{ notFound: <NotFound />, badInput: <NotFound />, notEnrolled: <NotJoined named={null} any /> }}
      >
        {(lesson) =>
          isRoom(lesson) ? (
            <LiveRoom lesson={lesson} onChanged={() => void call.refetch()} />
          ) : (
            <LessonCard lesson={lesson} />
          )
        }
      </CallState>
    </div>
  );
}

function LessonCard({ lesson }: { lesson: Lesson }) {
  const now = serverNow();
  const days = daysUntil(lesson.startDateExt, now);
  return (
    <article className={page.card}>
      <LiveState state={lesson.state} />
      <h1 className={`${page.title} ${classes.title}`} lang="zh-CN">
        {lesson.title}
      </h1>
      <p className={classes.when}>
        <span>
          {formatDay(lesson.startTime, now)} {liveTimes(lesson)}
        </span>
        <small>{t('北京时间')}</small>
        {lesson.state === UPCOMING && days !== null && days > 0 && <small>{t('还有 {n} 天', { n: days })}</small>}
      </p>
      <p className={classes.facts}>
        <Teacher lesson={lesson} />
        <Link to={paths.course(lesson.packId)} lang="zh-CN">
          {lesson.packName}
        </Link>
      </p>
      <p className={classes.hint} aria-live="polite">
        {hintOf(lesson)}
      </p>
      <div className={classes.actions}>
        {lesson.state !== ENDED && <LiveAction lesson={lesson} signedIn size="md" enter={t('进入直播')} />}
        {lesson.state === UPCOMING && (
          <Button
            size="md"
            variant="default"
            leftSection={<IconCalendarPlus size={18} stroke={1.6} aria-hidden />}
            onClick={() => void saveCalendar(lesson.id)}
          >
            {t('加入日历')}
          </Button>
        )}
        <Button size="md" variant="subtle" component={Link} to={paths.lives()}>
          {t('全部直播')}
        </Button>
      </div>
    </article>
  );
}

function hintOf(lesson: Lesson): string {
  const { state, appointmentState, livePlatform } = lesson;
  if (livePlatform !== OTHER_PLATFORM && state === ENDED)
    return waitsForReplay(lesson, serverNow())
      ? t('直播已结束。有录像的话，回放生成后会出现在这里。')
      : t('直播已结束，没有回放。');
  if (state === UPCOMING)
    return appointmentState === 1
      ? t('已预约，开始时会在页面上提醒您，到时在这里进入。')
      : t('还没有开始。预约后，开始时会在页面上提醒您。');
  if (state === LIVE) return t('直播在其他平台进行，会打开新的页面。');
  return state === ENDED ? t('直播已结束，老师还没有放出回放。') : t('回放在其他平台，会打开新的页面。');
}

/** Saves the lesson as a calendar file. */
async function saveCalendar(liveId: number): Promise<void> {
  try {
    const { fileName, text } = await send('GET /app/live/calendar', { liveId, site: window.location.origin });
    saveText(fileName, 'text/calendar;charset=utf-8', text);
  } catch (error) {
    toast(failureText(error), 'bad');
  }
}
