import { IconUsers } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { TALK_BEFORE, TALK_OPEN } from '#contract/values/live-talk.ts';
import { FailedState } from '#ui/FailedState.tsx';
import { useSwapFocus } from '#ui/useSwapFocus.ts';
import { retryHelps } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import classes from './LiveTalk.module.css';
import { PinnedNotice } from './PinnedNotice.tsx';
import { TalkDesk } from './TalkDesk.tsx';
import { TalkForm } from './TalkForm.tsx';
import { TalkList } from './TalkList.tsx';
import { TalkPoll } from './TalkPoll.tsx';
import { useTalk } from './useTalk.ts';

/**
 * 讨论 in the room of a live lesson: what is said as it is said, the pinned notice, a poll, hands, and for teachers what keeps order. Fills the
 * height of what it stands in.
 */
export function LiveTalk({ livelessonId }: { livelessonId: number }) {
  const room = useTalk(livelessonId);
  const { talk, connected, fault } = room;
  const { state, own } = talk;
  const whole = useRef<HTMLElement>(null);
  const [pollAway, setPollAway] = useState(0);
  // A poll that is put away, and a notice that is taken down, leave the keyboard with the messages.
  useSwapFocus(whole, `${pollAway} ${state?.pinned?.seq ?? ''}`);
  if (state === null || own === null) {
    return (
      <section className={classes.talk} aria-label={t('讨论')}>
        {fault !== null && (
          <FailedState text={t(fault.msg)} onRetry={retryHelps(fault) ? () => void room.catchUp() : undefined} />
        )}
      </section>
    );
  }
  return (
    <section ref={whole} tabIndex={-1} className={classes.talk} aria-label={t('讨论')}>
      <header className={classes.head}>
        <h2>{t('讨论')}</h2>
        <span className={classes.online}>
          <IconUsers size={16} stroke={1.6} aria-hidden />
          {t('{count} 人在线', { count: state.online })}
        </span>
        {own.manages && <TalkDesk liveId={livelessonId} state={state} onState={room.stands} />}
      </header>
      {connected === false && (
        <p className={classes.away} role="status">
          {t('连接断开了，正在重新连接…')}
        </p>
      )}
      {state.pinned !== null && (
        <PinnedNotice liveId={livelessonId} pinned={state.pinned} manages={own.manages} onState={room.stands} />
      )}
      {state.poll !== null && (
        <TalkPoll
          key={state.poll.pollId}
          liveId={livelessonId}
          poll={state.poll}
          own={own}
          onState={room.stands}
          onAway={() => setPollAway(state.poll?.pollId ?? 0)}
          onStale={() => void room.catchUp()}
        />
      )}
      <TalkList liveId={livelessonId} room={room} />
      {state.stage === TALK_OPEN ? (
        <TalkForm liveId={livelessonId} state={state} own={own} room={room} />
      ) : (
        <p className={classes.closed}>
          {state.stage === TALK_BEFORE ? t('开始前 30 分钟可以发言。') : t('直播已结束，不能再发言。')}
        </p>
      )}
    </section>
  );
}
