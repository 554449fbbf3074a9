import { useState } from 'react';
import { Link } from 'react-router';
import { LIVE } from '#contract/values/live.ts';
import { serverNow } from '#web/lib/clock.ts';
import { formatDay } from '#web/lib/format.ts';
import { useMe } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import type { Data } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { LiveState, liveTimes, Teacher } from './LiveFacts.tsx';
import { LiveReplay } from './LiveReplay.tsx';
import classes from './LiveRoom.module.css';
import { LiveStage } from './LiveStage.tsx';
import { StreamTrouble } from './StreamTrouble.tsx';
import { LiveTalk } from './talk/LiveTalk.tsx';
import { TalkReplay } from './talk/TalkReplay.tsx';

type Lesson = Data<'GET /app/live/room'>;

/** The room of this site: the stream of a live lesson with what is said in it, or its replay with what was said. */
export function LiveRoom({ lesson, onChanged }: { lesson: Lesson; onChanged: () => void }) {
  const now = serverNow();
  const live = lesson.state === LIVE;
  const { me } = useMe();
  const [position, setPosition] = useState(0);
  return (
    <article>
      <header className={classes.head}>
        <div className={classes.words}>
          <h1 className={classes.title} lang="zh-CN">
            {lesson.title}
          </h1>
          <LiveState state={lesson.state} />
        </div>
        <p className={classes.facts}>
          <span>
            {formatDay(lesson.startTime, now)} {liveTimes(lesson)} <small>{t('北京时间')}</small>
          </span>
          <Teacher lesson={lesson} />
          <Link to={paths.course(lesson.packId)} lang="zh-CN">
            {lesson.packName}
          </Link>
        </p>
      </header>
      {live && me?.role === 'teacher' && <StreamTrouble liveId={lesson.id} />}
      <div className={classes.room}>
        <div className={classes.stage}>
          {live ? (
            <LiveStage key={lesson.id} lesson={lesson} onChanged={onChanged} />
          ) : (
            <LiveReplay key={lesson.replayFileId} lesson={lesson} onPosition={setPosition} />
          )}
        </div>
        <div className={classes.talk}>
          {live ? (
            <LiveTalk key={lesson.id} livelessonId={lesson.id} />
          ) : (
            <TalkReplay key={lesson.id} livelessonId={lesson.id} positionSeconds={position} />
          )}
        </div>
      </div>
    </article>
  );
}
