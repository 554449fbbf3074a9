import { Button } from '@mantine/core';
import { type ReactNode, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { WatchLive } from '#contract/live-stream.ts';
import type { MessageOf } from '#contract/socket.ts';
import { LIVE, REPLAY } from '#contract/values/live.ts';
import { afterStall, BEHIND, followEdge, HLS_EDGE, TARGET, waitToWatch } from '#rules/live/live-edge.ts';
import { LIVE_PLAYLIST } from '#rules/live/sliding-list.ts';
import { LivePlayer } from '#ui/player/LivePlayer.tsx';
import type { LiveFailure, LiveSource } from '#ui/player/live-engine.ts';
import { useMe } from '#web/lib/me.ts';
import { recall, remember } from '#web/lib/remember.ts';
import { CallError, type Data, isPassing, send } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import classes from './LiveStage.module.css';

type Lesson = Data<'GET /app/live/room'>;
type News = MessageOf<typeof WatchLive>;

const FOLLOW = { step: followEdge, target: TARGET, afterStall, late: BEHIND, native: HLS_EDGE };
/** Windows come back over so long before the server said anything (milliseconds). */
const SPREAD = 3000;

const failures: Readonly<Record<LiveFailure, string>> = {
  unsupported: msg('这个浏览器不能播放直播，请换用新版的 Chrome、Edge 或 Safari'),
  decode: msg('直播画面播放失败，请重试'),
};

interface Props {
  lesson: Pick<Lesson, 'id' | 'state' | 'streamState'>;
  /** The lesson is over, or has another state than the page knows: it is to be read anew. */
  onChanged: () => void;
}

/** The picture of a live lesson in the room of this site: it begins by itself, says why there is none, and comes back after every break. */
export function LiveStage({ lesson, onChanged }: Props) {
  const { me } = useMe();
  const [news, setNews] = useState<Pick<News, 'state' | 'streamState'>>(lesson);
  const [refusal, setRefusal] = useState<CallError | null>(null);
  const [openings, setOpenings] = useState(0);
  const spread = useRef(SPREAD);
  const [volume] = useState(recallVolume);
  const changed = useEffectEvent(onChanged);
  const hear = useEffectEvent((said: News) => {
    spread.current = said.spread;
    setNews(said);
    if (said.state !== lesson.state) onChanged();
  });
  const { id } = lesson;
  const source = useMemo<LiveSource>(
    () => ({
      open: async (form) => {
        try {
          await send('GET /app/live/watch_grant', { liveId: id, as: form });
        } catch (error) {
          // A network that is away is tried again by the player.
          if (!(error instanceof CallError) || isPassing(error)) throw error;
          setRefusal(error);
          changed();
          return null;
        }
        setRefusal(null);
        const { protocol, host } = window.location;
        const ws = protocol === 'https:' ? 'wss' : 'ws';
        return {
          socket: `${ws}://${host}/app/live/watch?liveId=${id}&as=${form}`,
          playlist: `/app/live/hls/${id}/${LIVE_PLAYLIST}`,
        };
      },
      onText: (text) => hear(JSON.parse(text) as News),
      waitBefore: (tries) => waitToWatch(tries, spread.current, Math.random()),
    }),
    [id],
  );
  const again = (from?: () => void) => {
    setRefusal(null);
    setOpenings((times) => times + 1);
    from?.();
  };
  if (refusal !== null && news.state === LIVE)
    return (
      <div className={classes.frame} role="alert">
        <p>{t(refusal.msg)}</p>
        <Button variant="default" onClick={() => again()}>
          {t('重试')}
        </Button>
      </div>
    );
  return (
    <LivePlayer
      key={openings}
      source={source}
      follow={FOLLOW}
      live={news.streamState === 'live'}
      notice={noticeOf(news)}
      volume={volume}
      onVolume={rememberVolume}
      {...(me === null ? {} : { watermark: `${me.nickname} ${me.validPhoneExt}` })}
      failed={(why, reopen) => (
        <div className={classes.failed}>
          <p>{t(failures[why])}</p>
          {why === 'decode' && (
            <Button variant="default" onClick={reopen}>
              {t('重试')}
            </Button>
          )}
        </div>
      )}
    />
  );
}

/** Why there is no picture now; null where one comes. */
function noticeOf({ state, streamState }: Pick<News, 'state' | 'streamState'>): ReactNode {
  if (streamState === 'live') return null;
  if (streamState === 'ended') return <span>{state === REPLAY ? t('直播已结束，可以看回放了') : t('直播已结束')}</span>;
  return streamState === 'interrupted' ? (
    <>
      <span>{t('老师暂时离开')}</span>
      <small>{t('直播没有结束，信号恢复后会自动继续播放')}</small>
    </>
  ) : (
    <>
      <span>{t('等待老师开始直播')}</span>
      <small>{t('开始后会自动播放，请不要离开')}</small>
    </>
  );
}

const VOLUME = 'live.volume';

function recallVolume(): number {
  const kept = Number(recall(VOLUME) ?? 1);
  return kept > 0 && kept <= 1 ? kept : 1;
}

const rememberVolume = (volume: number) => remember(VOLUME, volume.toFixed(2));
