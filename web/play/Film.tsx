import { Button } from '@mantine/core';
import { IconHeadphones } from '@tabler/icons-react';
import {
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { Link } from 'react-router';
import { nodeState } from '#contract/values/play.ts';
import { clockText } from '#rules/play/clock-text.ts';
import { Player } from '#ui/player/Player.tsx';
import type { Playback } from '#ui/player/playback-state.ts';
import type { Thumbnail } from '#ui/player/SeekBar.tsx';
import type { Failure } from '#ui/player/source.ts';
import type { Screen } from '#ui/player/useFullscreen.ts';
import type { PlaybackControls } from '#ui/player/usePlayback.ts';
import { useMe } from '#web/lib/me.ts';
import { paths } from '#web/lib/paths.ts';
import { rememberPlaySettings, usePlaySettings } from '#web/lib/play-settings.ts';
import type { CallError, Data } from '#web/lib/send.ts';
import { msg, t } from '#web/lib/t.ts';
import { useGrant } from '#web/lib/useGrant.ts';
import classes from './LessonStage.module.css';
import { PlayErrorDialog } from './PlayErrorDialog.tsx';
import { readThumbnails } from './thumbnails.ts';
import { onUnsent, unsentWaitsFor } from './unsent-reports.ts';
import { type Progress, useReports } from './useReports.ts';

type Lesson = Data<'GET /app/course/lesson'>;

/** What the page can ask of what plays. Seconds. */
export interface StageHandle {
  position(): number;
  seek(to: number): void;
  /** Saves what is not saved yet, before another lesson is opened (spec §4). */
  save(): void;
}

export interface FilmProps {
  lesson: Lesson & { videoResourceId: number };
  /** The name of the pack, for the lock screen. */
  album: string;
  /** The caller is enrolled: what they watch is kept. */
  kept: boolean;
  /** Seconds; a place that the address asks for. */
  at: number | null;
  /** It was opened by hand, or by the end of the one before: it begins by itself. */
  autoPlay: boolean;
  /** Whether the directory lets it play now (lockStatus); says why where it does not. */
  mayPlay: () => boolean;
  onProgress: (progress: Progress) => void;
  /** It is over, and what was seen of it has been told. */
  onEnded: () => void;
  /** It plays again after its end, or somebody went back in it. */
  onAgain: () => void;
  /** It may not be played any more, or may again, or that is asked for once more. */
  onRight: () => void;
  onPrevious?: (() => void) | undefined;
  onNext: () => void;
  handle: Ref<StageHandle>;
  /** The whole screen, which the page has across lessons. */
  screen: Screen;
}

/** Seconds that are worth a word about where it begins. */
const WORTH = 5;
/** Seconds within which a player stands where it was told to begin: a film begins with a picture. */
const UNTOUCHED = 0.5;

/** Plays the video or the sound of a lesson. Another lesson is another one: give it a `key`. */
export function Film({
  lesson,
  album,
  kept,
  at,
  autoPlay,
  mayPlay,
  onProgress,
  onEnded,
  onAgain,
  onRight,
  onPrevious,
  onNext,
  handle,
  screen,
}: FilmProps) {
  const { packId, firstVideoId, firstVideoName, duration, kind } = lesson;
  // What is known of the lesson may be read anew while it plays; what plays stays what it is.
  const [opened] = useState({
    mediaId: lesson.videoResourceId,
    startAt: at ?? lesson.startAt,
    position: lesson.position,
  });
  const [startAt, setStartAt] = useState(opened.startAt);
  /** It played when it was refused: what is opened again goes on. */
  const goesOn = useRef(false);
  const { me } = useMe();
  const { source, path, refusal, again } = useGrant(opened.mediaId);
  const controls = useRef<PlaybackControls>(null);
  const { settings, follow } = usePlaySettings(controls);
  const now = useRef<Playback | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [begun, setBegun] = useState(false);
  // The film itself goes before the small pictures of its bar.
  const [loaded, setLoaded] = useState(false);
  // What plays before its picture could be asked for needs none.
  const [playsFirst, setPlaysFirst] = useState(false);
  const { look, flush, position, elsewhere } = useReports({
    lesson: { packId, firstVideoId, duration },
    studentId: kept ? (me?.studentId ?? null) : null,
    startAt: opened.startAt,
    onProgress,
  });
  const thumbnails = useThumbnails(kind === 'video' && loaded ? path : null);
  const [subtitles] = useState(() =>
    lesson.subtitles.map(({ lang, label, src }) => ({ language: lang, label, url: src })),
  );
  useImperativeHandle(
    handle,
    () => ({ position, seek: (to) => controls.current?.seek(to), save: () => void flush() }),
    [position, flush],
  );

  const over = useRef(false);
  const change = (state: Playback) => {
    const before = now.current;
    now.current = state;
    look(state);
    if (state.playing && !begun) {
      setBegun(true);
      if (path === null) setPlaysFirst(true);
    }
    const moves = !state.playing || state.position > startAt;
    if (state.loadedTo > state.position && moves && !loaded) setLoaded(true);
    if (state.playing && before?.playing !== true && !mayPlay()) controls.current?.pause();
    follow(state);
    if (state.ended && !over.current) void flush({ ended: true }).then(() => over.current && ended());
    if (!state.ended && over.current) onAgain();
    over.current = state.ended;
  };
  // Left at its end: nothing follows it any more.
  useEffect(
    () => () => {
      over.current = false;
    },
    [],
  );
  const ended = useEffectEvent(onEnded);
  const starts = useEffectEvent(() => {
    if (autoPlay) controls.current?.play();
  });
  useEffect(() => starts(), []);
  // Refused in the middle: what is opened again afterwards goes on where it was.
  useEffect(() => {
    if (refusal !== null && now.current !== null) {
      goesOn.current = now.current.playing;
      setStartAt(position());
      void flush();
    }
  }, [refusal, position, flush]);

  const mayBe = refusal === null;
  const was = useRef(mayBe);
  const changes = useEffectEvent(onRight);
  useEffect(() => {
    if (was.current !== mayBe) changes();
    was.current = mayBe;
    if (!mayBe || !goesOn.current) return;
    goesOn.current = false;
    controls.current?.play();
  }, [mayBe]);
  // What was left of it arrived after all: it begins there, unless somebody has begun or gone elsewhere.
  const late = useEffectEvent((latest: number) => {
    if (!begun && at === null && Math.abs(position() - startAt) < UNTOUCHED) setStartAt(latest);
  });
  useEffect(() => late(lesson.startAt), [lesson.startAt]);

  // The film's own picture and its subtitles need the right to play it, as a cookie.
  const granted = path !== null;
  const poster = granted ? lesson.poster : '';
  const shownSubtitles = useMemo(
    () => subtitles.map((one) => ({ ...one, url: granted ? one.url : null })),
    [subtitles, granted],
  );
  const nowPlaying = useMemo(
    () => ({
      title: firstVideoName,
      album,
      ...(poster === '' ? {} : { artwork: poster }),
      ...(onPrevious ? { onPrevious } : {}),
      onNext,
    }),
    [firstVideoName, album, poster, onPrevious, onNext],
  );
  const tryAgain = () => {
    onRight();
    again();
  };
  if (refusal !== null) return <Refused refusal={refusal} packId={packId} again={tryAgain} begun={begun} />;
  const facts = () =>
    `${firstVideoName} ${clockText(Math.floor(position()))} · ${now.current?.rate ?? 1}x · ${
      now.current?.qualities.find(({ index }) => index === now.current?.quality)?.height ?? '-'
    }p · ${navigator.onLine ? 'online' : 'offline'}`;
  return (
    <>
      <Player
        kind={kind === 'audio' ? 'audio' : 'video'}
        source={source}
        duration={duration}
        startAt={startAt}
        rate={settings.rate}
        volume={settings.volume}
        {...(kind === 'video' && poster !== '' && !playsFirst ? { poster } : {})}
        art={<Cover url={poster} name={firstVideoName} playing={begun} />}
        thumbnails={thumbnails}
        subtitles={shownSubtitles}
        subtitleLanguage={settings.subtitles}
        onSubtitles={(language) => rememberPlaySettings({ subtitles: language })}
        {...(me === null ? {} : { watermark: `${me.nickname} ${me.validPhoneExt}` })}
        nowPlaying={nowPlaying}
        onChange={change}
        // What is fetched ahead may fail unheard: whoever presses play has it tried again.
        onFailure={(why) => (begun || now.current?.playing || controls.current?.isWanted()) && setFailure(why)}
        screen={screen}
        controls={controls}
      />
      {!begun && (
        <WhereFrom
          startAt={startAt}
          linked={at !== null}
          lesson={lesson}
          last={opened.position}
          onSeek={(to) => controls.current?.seek(to)}
        />
      )}
      <NotSaved elsewhere={elsewhere} />
      <PlayErrorDialog
        failure={failure}
        onClose={() => setFailure(null)}
        packId={packId}
        lessonId={firstVideoId}
        facts={facts}
      />
    </>
  );
}

/** Says where it begins, and offers the other place: from the beginning, or where a finished lesson was left. */
function WhereFrom({
  startAt,
  linked,
  lesson: { nodeState: state, duration },
  last,
  onSeek,
}: {
  startAt: number;
  /** Something led to this second: nobody was there before. */
  linked: boolean;
  lesson: Lesson;
  last: number;
  onSeek: (to: number) => void;
}) {
  const [done, setDone] = useState(false);
  const go = (to: number) => {
    setDone(true);
    onSeek(to);
  };
  if (done) return null;
  if (startAt >= WORTH)
    return (
      <p className={classes.from}>
        {linked
          ? t('将从 {at} 开始', { at: clockText(Math.floor(startAt)) })
          : t('上次看到 {at}，将从这里继续', { at: clockText(Math.floor(startAt)) })}
        <Button variant="subtle" size="compact-sm" onClick={() => go(0)}>
          {t('从头开始')}
        </Button>
      </p>
    );
  if (state !== nodeState.finished || last < WORTH || last > duration - WORTH) return null;
  return (
    <p className={classes.from}>
      {t('本节已学完，将从头播放')}
      <Button variant="subtle" size="compact-sm" onClick={() => go(last)}>
        {t('从上次的 {at} 继续', { at: clockText(Math.floor(last)) })}
      </Button>
    </p>
  );
}

/** While what was watched waits for the network or for its student to sign in, or does not count since something else plays as well. */
function NotSaved({ elsewhere }: { elsewhere: boolean }) {
  const waits = useSyncExternalStore(onUnsent, unsentWaitsFor);
  return (
    <p className={classes.unsaved} role="status">
      {waits === 'network' && t('网络中断，学习进度已保留在本机，恢复后会自动保存')}
      {waits === null && elsewhere && t('您也在别处播放，同一时间的学习只计一份，这里有一部分没有计入')}
      {waits === 'signIn' && t('登录已过期，学习进度已保留在本机，重新登录后会自动保存')}
    </p>
  );
}

const endedInPlay = msg('您现在不能继续播放本节课程了');

/** Why it does not play: a sentence, and what can be done. */
function Refused({
  refusal,
  packId,
  again,
  begun,
}: {
  refusal: CallError;
  packId: number;
  again: () => void;
  begun: boolean;
}) {
  return (
    <div className={classes.frame} role="alert">
      {begun && refusal.why !== 'offline' && <p className={classes.why}>{t(endedInPlay)}</p>}
      <p className={classes.why}>{t(refusal.msg)}</p>
      <div className={classes.buttons}>
        {refusal.why === 'notEnrolled' && (
          <Button component={Link} to={paths.course(packId)}>
            {t('去报名')}
          </Button>
        )}
        <Button variant="default" onClick={again}>
          {t('重试')}
        </Button>
      </div>
    </div>
  );
}

/** What stands on the stage of a sound: its cover, or a sign where it has none. */
function Cover({ url, name, playing }: { url: string; name: string; playing: boolean }) {
  const [broken, setBroken] = useState(false);
  return (
    <div className={classes.cover} data-playing={playing || undefined}>
      {url !== '' && !broken ? (
        <img src={url} alt="" onError={() => setBroken(true)} />
      ) : (
        <span className={classes.noCover}>
          <IconHeadphones size={56} stroke={1.2} aria-hidden />
        </span>
      )}
      <p>{name}</p>
    </div>
  );
}

const NONE: readonly Thumbnail[] = [];

/** The small pictures over the seek bar; a film without them plays as well. */
function useThumbnails(path: string | null): readonly Thumbnail[] {
  const [found, setFound] = useState(NONE);
  useEffect(() => {
    if (path === null) return;
    const stop = new AbortController();
    const read = async () => {
      const reply = await fetch(`${path}thumbnails.vtt`, { signal: stop.signal, credentials: 'same-origin' });
      if (reply.ok) setFound(readThumbnails(await reply.text(), path));
    };
    read().catch(() => undefined);
    return () => stop.abort();
  }, [path]);
  return found;
}
