import {
  IconMaximize,
  IconMinimize,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconVolume,
  IconVolumeOff,
} from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../words.ts';
import classes from './LivePlayer.module.css';
import type { LiveFailure, LiveSource } from './live-engine.ts';
import player from './Player.module.css';
import { useFullscreen } from './useFullscreen.ts';
import { useIdle } from './useIdle.ts';
import { type FollowEdge, useLivePlayback } from './useLivePlayback.ts';
import { useWatermark } from './useWatermark.ts';

interface LivePlayerProps {
  source: LiveSource;
  /** How to stay near the newest picture. */
  follow: FollowEdge;
  /** A stream comes: only then something is waited for. */
  live: boolean;
  /** Stands over the picture: why there is none, or why it stands still. */
  notice?: ReactNode;
  /** Drifts over the picture. */
  watermark?: string;
  /** 0 to 1. */
  volume?: number;
  onVolume?: (volume: number) => void;
  /** What is said where it cannot be played. */
  failed: (why: LiveFailure, again: () => void) => ReactNode;
}

/** Plays a live stream near its newest picture, with controls of its own, which stay over the picture in full screen as the watermark does. */
export function LivePlayer({
  source,
  follow,
  live,
  notice,
  watermark,
  volume = 1,
  onVolume,
  failed: sayFailed,
}: LivePlayerProps) {
  const stage = useRef<HTMLDivElement>(null);
  const film = useRef<HTMLVideoElement>(null);
  const { state, controls } = useLivePlayback(film, { source, follow, volume, live });
  const { full, toggle: toggleFull } = useFullscreen(stage);
  // Where it cannot be played there is no stage; what is opened again has another one.
  const failed = state.failure !== null;
  const idle = useIdle(stage, state.playing && live && !failed);
  useWatermark(stage, failed ? undefined : watermark);
  const [told, setTold] = useState(volume);
  useEffect(() => {
    if (state.volume === told) return;
    setTold(state.volume);
    onVolume?.(state.volume);
  }, [state.volume, told, onVolume]);
  if (state.failure !== null)
    return (
      <div className={`${player.stage} ${classes.failed}`} role="alert">
        {sayFailed(state.failure, controls.reopen)}
      </div>
    );
  const silent = state.muted || state.volume === 0;
  const playWord = state.playing ? t('暂停') : t('播放');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a double click is a short cut for the button beside it
    <div
      ref={stage}
      className={player.stage}
      tabIndex={-1}
      data-kind="video"
      data-full={full || undefined}
      data-idle={idle || undefined}
      onDoubleClick={(event) => {
        if (event.target === film.current) toggleFull();
      }}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: nobody writes down what is said at the moment */}
      <video
        ref={film}
        className={player.film}
        playsInline
        disablePictureInPicture
        disableRemotePlayback
        controlsList="nodownload noremoteplayback"
        x-webkit-airplay="deny"
        onClick={controls.toggle}
        onContextMenu={(event) => event.preventDefault()}
      />
      {notice !== undefined && notice !== null && (
        <div className={classes.notice} role="status">
          {notice}
        </div>
      )}
      {live && state.begun && !state.playing && (
        <button type="button" className={player.overlay} onClick={controls.toggle} aria-label={playWord}>
          <IconPlayerPlayFilled size={34} aria-hidden />
        </button>
      )}
      {live && notice == null && state.waiting && (
        <p className={player.waiting} role="status">
          <span className={player.ring} aria-hidden />
          <span className="unseen">{t('正在缓冲')}</span>
        </p>
      )}
      {live && state.playing && state.silenced && (
        <button type="button" className={classes.sound} onClick={controls.toggleMute}>
          <IconVolumeOff size={18} aria-hidden />
          {t('点击打开声音')}
        </button>
      )}
      <fieldset className={player.controls} aria-label={t('播放控制')}>
        <div className={player.row}>
          <button type="button" className={player.button} onClick={controls.toggle} aria-label={playWord}>
            {state.playing ? (
              <IconPlayerPauseFilled size={20} aria-hidden />
            ) : (
              <IconPlayerPlayFilled size={20} aria-hidden />
            )}
          </button>
          {live && (
            <span className={classes.live} data-late={state.late || undefined}>
              {t('正在直播')}
            </span>
          )}
          {live && state.late && (
            <button type="button" className={player.choice} onClick={controls.toEdge}>
              {t('回到直播')}
            </button>
          )}
          <span className={player.apart} />
          <span className={player.volume}>
            <button
              type="button"
              className={player.button}
              onClick={controls.toggleMute}
              aria-label={silent ? t('取消静音') : t('静音')}
            >
              {silent ? <IconVolumeOff size={20} aria-hidden /> : <IconVolume size={20} aria-hidden />}
            </button>
            <input
              type="range"
              className={player.loudness}
              min={0}
              max={1}
              step={0.05}
              value={state.muted ? 0 : state.volume}
              aria-label={t('音量')}
              aria-valuetext={`${Math.round((state.muted ? 0 : state.volume) * 100)}%`}
              onChange={(event) => controls.setVolume(Number(event.currentTarget.value))}
            />
          </span>
          <button
            type="button"
            className={player.button}
            onClick={toggleFull}
            aria-label={full ? t('退出全屏') : t('全屏')}
          >
            {full ? <IconMinimize size={20} aria-hidden /> : <IconMaximize size={20} aria-hidden />}
          </button>
        </div>
      </fieldset>
    </div>
  );
}
