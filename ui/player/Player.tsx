import {
  IconMaximize,
  IconMinimize,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconReload,
  IconVolume,
  IconVolumeOff,
} from '@tabler/icons-react';
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { t } from '../words.ts';
import { focusKind, givesSpaceUp, goesOnHeld, keyMeaning } from './keys.ts';
import classes from './Player.module.css';
import { PlayerMenus, type Subtitles } from './PlayerMenus.tsx';
import type { Playback } from './playback-state.ts';
import { SeekBar, type Thumbnail } from './SeekBar.tsx';
import { SubtitleLines } from './SubtitleLines.tsx';
import type { Failure, Source } from './source.ts';
import { chosenSubtitles } from './subtitle-choice.ts';
import { timeText } from './time-text.ts';
import { type Screen, useFullscreen } from './useFullscreen.ts';
import { useIdle } from './useIdle.ts';
import { type NowPlaying, useMediaSession } from './useMediaSession.ts';
import { type PlaybackControls, usePlayback } from './usePlayback.ts';
import { useWatermark } from './useWatermark.ts';

export interface PlayerProps {
  kind: 'video' | 'audio';
  source: Source;
  /** Seconds; what is known of the length before the film says it. */
  duration: number;
  /** Seconds: where it begins. */
  startAt?: number;
  rate?: number;
  volume?: number;
  poster?: string;
  /** What stands on the stage of a sound. */
  art?: ReactNode;
  /** WebVTT of the same host, fetched with its cookies when the player opens. None is shown until one is chosen. */
  subtitles?: readonly Subtitles[];
  /** The language that was chosen before; left out or null: none. */
  subtitleLanguage?: string | null;
  /** The person chose subtitles of a language, or none: what the page remembers for `subtitleLanguage`. */
  onSubtitles?: (language: string | null) => void;
  thumbnails?: readonly Thumbnail[];
  /** Drifts over the picture. */
  watermark?: string;
  nowPlaying: NowPlaying;
  /** After everything that changes; what moves comes some four times a second. */
  onChange?: (state: Playback) => void;
  /** It cannot be played: what to say of it is the page's (`PlaybackControls.reopen` tries again). */
  onFailure?: (why: Failure) => void;
  controls?: Ref<PlaybackControls>;
  /** The whole screen, of an element around the player that outlives it; left out: the player's own. */
  screen?: Screen;
}

const NONE: readonly never[] = [];

function onNetworkChange(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/**
 * Plays a film or a sound with controls of its own, which stay over the picture in full screen as the watermark does. Another source is
 * another player: give it a `key`.
 */
export function Player({
  kind,
  source,
  duration,
  startAt = 0,
  rate = 1,
  volume = 1,
  poster,
  art,
  subtitles = NONE,
  subtitleLanguage = null,
  onSubtitles,
  thumbnails = NONE,
  watermark,
  nowPlaying,
  onChange,
  onFailure,
  controls: given,
  screen,
}: PlayerProps) {
  const stage = useRef<HTMLDivElement>(null);
  const film = useRef<HTMLVideoElement>(null);
  const { state, controls } = usePlayback(film, {
    ...{ source, duration, startAt, rate, volume },
    subtitles: chosenSubtitles(subtitles, subtitleLanguage),
  });
  const own = useFullscreen(stage);
  const { full, toggle: toggleFull, leave: leaveFull } = screen ?? own;
  const online = useSyncExternalStore(onNetworkChange, () => navigator.onLine);
  const idle = useIdle(stage, state.playing);
  /** The touch that is under way began while the controls were away. */
  const wokeUp = useRef(false);
  useWatermark(stage, kind === 'video' ? watermark : undefined);
  useMediaSession(nowPlaying, state, controls);
  useImperativeHandle(given, () => controls, [controls]);
  useKeys(stage, full, state, controls, kind === 'video' ? toggleFull : undefined);

  const tell = useEffectEvent((now: Playback) => onChange?.(now));
  useEffect(() => tell(state), [state]);
  const { failure } = state;
  const tellFailure = useEffectEvent((why: Failure) => {
    // What is said of it stands on the page, which a film over the whole screen hides.
    if (full) leaveFull();
    onFailure?.(why);
  });
  useEffect(() => {
    if (failure !== null) tellFailure(failure);
  }, [failure]);

  const PlaySign = state.ended ? IconReload : IconPlayerPlayFilled;
  const playWord = state.playing ? t('暂停') : state.ended ? t('重新播放') : t('播放');
  return (
    // The keys of the stage are those of its controls: whoever has none of these uses the buttons.
    // biome-ignore lint/a11y/noStaticElementInteractions: a double click is a short cut for the button beside it
    <div
      ref={stage}
      className={classes.stage}
      // Who clicks on the film has the keys of the player.
      tabIndex={-1}
      data-kind={kind}
      data-full={full || undefined}
      data-idle={(idle && kind === 'video') || undefined}
      onDoubleClick={({ target }) => {
        // On the sign of play too: of two quick clicks the second may still find it there.
        if (kind === 'video' && target instanceof Element && target.closest('fieldset') === null) toggleFull();
      }}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: subtitles come from whoever made the film */}
      <video
        ref={film}
        className={classes.film}
        poster={poster}
        playsInline
        preload="auto"
        disablePictureInPicture
        disableRemotePlayback
        controlsList="nodownload noremoteplayback"
        x-webkit-airplay="deny"
        onPointerDownCapture={() => {
          wokeUp.current = idle;
        }}
        onClick={(event) => {
          // A finger cannot point: the first touch brings the controls, the next one pauses.
          const byFinger = (event.nativeEvent as PointerEvent).pointerType === 'touch';
          if (!(byFinger && wokeUp.current)) controls.toggle();
        }}
        onContextMenu={(event) => event.preventDefault()}
        hidden={kind === 'audio'}
      >
        {subtitles.map(({ url, language, label }) => (
          <track key={language} kind="subtitles" src={url ?? undefined} srcLang={language} label={label} />
        ))}
      </video>
      {kind === 'audio' && <div className={classes.art}>{art}</div>}
      <SubtitleLines media={film} chosen={state.subtitles} />
      {!state.playing && kind === 'video' && (
        <button
          type="button"
          className={classes.overlay}
          onClick={() => {
            // It goes while the film plays: the keyboard stays in the player.
            stage.current?.focus({ preventScroll: true });
            controls.toggle();
          }}
          aria-label={playWord}
        >
          <PlaySign size={34} aria-hidden />
        </button>
      )}
      {state.waiting && <Waiting online={online} />}
      <fieldset className={classes.controls} aria-label={t('播放控制')}>
        <SeekBar
          position={state.position}
          duration={state.duration}
          loadedTo={state.loadedTo}
          thumbnails={thumbnails}
          onSeek={controls.seek}
        />
        <div className={classes.row}>
          <button type="button" className={classes.button} onClick={controls.toggle} aria-label={playWord}>
            {state.playing ? <IconPlayerPauseFilled size={20} aria-hidden /> : <PlaySign size={20} aria-hidden />}
          </button>
          <span className={classes.time}>
            <span>{timeText(state.position)}</span> <span>/ {timeText(state.duration)}</span>
          </span>
          <span className={classes.apart} />
          <PlayerMenus
            state={state}
            controls={controls}
            subtitles={subtitles}
            onSubtitles={(index) => {
              controls.chooseSubtitles(index);
              onSubtitles?.(index === null ? null : (subtitles[index]?.language ?? null));
            }}
          />
          <span className={classes.volume}>
            <button
              type="button"
              className={classes.button}
              onClick={controls.toggleMute}
              aria-label={state.muted ? t('取消静音') : t('静音')}
            >
              {state.muted || state.volume === 0 ? (
                <IconVolumeOff size={20} aria-hidden />
              ) : (
                <IconVolume size={20} aria-hidden />
              )}
            </button>
            <input
              type="range"
              className={classes.loudness}
              min={0}
              max={1}
              step={0.05}
              value={state.muted ? 0 : state.volume}
              aria-label={t('音量')}
              aria-valuetext={`${Math.round((state.muted ? 0 : state.volume) * 100)}%`}
              onChange={(event) => controls.setVolume(Number(event.currentTarget.value))}
            />
          </span>
          {kind === 'video' && (
            <button
              type="button"
              className={classes.button}
              onClick={toggleFull}
              aria-label={full ? t('退出全屏') : t('全屏')}
            >
              {full ? <IconMinimize size={20} aria-hidden /> : <IconMaximize size={20} aria-hidden />}
            </button>
          )}
        </div>
      </fieldset>
    </div>
  );
}

/** Milliseconds of waiting that nobody is told of: drawing it would hold up the picture that is waited for. */
const WAITS_UNSAID = 400;

/** That the film waits for data, once it has waited for a moment. */
function Waiting({ online }: { online: boolean }) {
  const [said, setSaid] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSaid(true), WAITS_UNSAID);
    return () => clearTimeout(timer);
  }, []);
  return (
    said && (
      <p className={classes.waiting} role="status">
        <span className={classes.ring} aria-hidden />
        {online ? (
          <span className="unseen">{t('正在缓冲')}</span>
        ) : (
          <span className={classes.offline}>{t('网络中断，恢复后会自动继续播放')}</span>
        )}
      </p>
    )
  );
}

/** Keys of the page and of the player (keys.ts); without a way to full screen none leads there. */
function useKeys(
  stage: RefObject<HTMLDivElement | null>,
  full: boolean,
  state: Playback,
  controls: PlaybackControls,
  toggleFull: (() => void) | undefined,
): void {
  /** The key that is down and was meant for the player. */
  const taken = useRef('');
  /** What has the focus from a click. */
  const clicked = useRef<Element | null>(null);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === taken.current && !event.repeat) taken.current = '';
    // A dialog over the page has the keys for itself.
    if (event.defaultPrevented || document.querySelector('[role=dialog][aria-modal=true]') !== null) return;
    const focus = document.activeElement;
    const meaning = keyMeaning(
      {
        key: event.key,
        modified: event.altKey || event.ctrlKey || event.metaKey,
        composing: event.isComposing,
        on: focusKind(focus),
        clicked: focus !== null && focus === clicked.current && givesSpaceUp(focus),
      },
      stage.current?.contains(focus) === true || full,
    );
    if (meaning === null) return;
    event.preventDefault();
    taken.current = event.key;
    if (event.repeat && !goesOnHeld(meaning)) return;
    if (meaning.does === 'toggle') controls.toggle();
    else if (meaning.does === 'seek') controls.seek(state.position + meaning.seconds);
    else if (meaning.does === 'volume') controls.setVolume(state.volume + meaning.by);
    else if (meaning.does === 'mute') controls.toggleMute();
    else toggleFull?.();
  });
  useEffect(() => {
    // Firefox presses a button when Space comes up, whatever was said of it going down.
    const onUp = (event: KeyboardEvent) => {
      if (event.key !== taken.current) return;
      event.preventDefault();
      taken.current = '';
    };
    // Asked when it comes: Chromium calls it visible from the first key on, however it came.
    const onFocus = () => {
      const focus = document.activeElement;
      clicked.current = focus?.matches(':focus-visible') === false ? focus : null;
    };
    onFocus();
    document.addEventListener('focusin', onFocus);
    document.addEventListener('keydown', onKey);
    document.addEventListener('keyup', onUp);
    return () => {
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('keyup', onUp);
    };
  }, []);
}
