import { type RefObject, useEffect, useEffectEvent, useMemo, useReducer, useRef } from 'react';
import { openEngine } from './engine.ts';
import { loadedFrom } from './loaded.ts';
import { hasReachedEnd, type Playback, playbackAtStart, playbackNext } from './playback-state.ts';
import type { Engine, Failure, Source } from './source.ts';
import { type StallClock, watchStall } from './stall.ts';

interface PlaybackOptions {
  source: Source;
  /** Seconds; what is known of the length before the film says it. */
  duration: number;
  /** Seconds: where it begins. */
  startAt: number;
  rate: number;
  volume: number;
  /** Which of the subtitles are shown; null: none. */
  subtitles: number | null;
}

/** What a person can do to the film. */
export interface PlaybackControls {
  play(): void;
  pause(): void;
  toggle(): void;
  /** To a place, in seconds; what lies outside of the film is its edge. */
  seek(to: number): void;
  setRate(rate: number): void;
  /** 0 to 1. */
  setVolume(volume: number): void;
  toggleMute(): void;
  chooseQuality(index: number): void;
  chooseSubtitles(index: number | null): void;
  /** Tries again after a failure. */
  reopen(): void;
  /** Whether somebody pressed play and has not taken it back, also where it has failed since. */
  isWanted(): boolean;
}

/** Milliseconds between the looks of the player's own clock. */
const LOOK_EVERY = 1000;

/** Plays a source in a media element; another source is a new player (`key`). */
export function usePlayback(
  media: RefObject<HTMLMediaElement | null>,
  { source, duration, startAt, rate, volume, subtitles }: PlaybackOptions,
): { state: Playback; controls: PlaybackControls } {
  const [state, dispatch] = useReducer(
    playbackNext,
    { duration, position: startAt, rate, volume, subtitles },
    playbackAtStart,
  );
  const engine = useRef<Engine | null>(null);
  /** Opens the source once more, where what plays it could not be had; null: it is open, or being opened. */
  const openAgain = useRef<(() => void) | null>(null);
  // Play that is asked for before there is a film begins with it.
  const wanted = useRef(false);
  const attached = useRef(false);
  // Where it goes on: so does a place that is chosen before. An element without a film, or that is loaded again, has none.
  const begins = useRef(startAt);
  const jumped = useRef(false);
  const open = useEffectEvent((element: HTMLMediaElement) =>
    openEngine(element, source, () => begins.current, {
      onAttached: () => {
        attached.current = true;
        if (wanted.current) element.play().catch(() => element.paused && dispatch({ type: 'paused' }));
      },
      onQualities: (qualities) => dispatch({ type: 'qualities', qualities }),
      onQuality: (index) => dispatch({ type: 'quality', index }),
      onFailure: (why) => fail(element, why),
    }),
  );
  const fail = useEffectEvent((element: HTMLMediaElement, why: Failure) => {
    // It was being begun, though the element has not told so yet: whoever pressed play hears why nothing plays.
    if (!element.paused) dispatch({ type: 'played', at: performance.now(), waiting: true });
    element.pause();
    dispatch({ type: 'failed', why });
  });
  const settings = useEffectEvent((element: HTMLMediaElement) => {
    // Loading sets the rate back to the default one.
    element.defaultPlaybackRate = state.rate;
    element.playbackRate = state.rate;
    element.volume = state.volume;
  });

  useEffect(() => {
    const element = media.current;
    if (element === null) return;
    let gone = false;
    attached.current = false;
    begins.current = startAt;
    jumped.current = false;
    settings(element);
    const begin = () => {
      openAgain.current = null;
      open(element).then(
        (opened) => {
          if (gone) opened.destroy();
          else engine.current = opened;
        },
        () => {
          if (gone) return;
          openAgain.current = begin;
          // Whoever has not pressed play has it tried again by that.
          if (wanted.current) fail(element, 'network');
        },
      );
    };
    begin();
    return () => {
      gone = true;
      openAgain.current = null;
      engine.current?.destroy();
      engine.current = null;
    };
  }, [media, startAt]);

  useEffect(() => {
    const element = media.current;
    if (element === null) return;
    const onMoved = () => {
      const loaded = element.readyState >= HTMLMediaElement.HAVE_METADATA;
      if (loaded) begins.current = element.currentTime;
      dispatch({ type: 'moved', ...placeIn(element, loaded ? element.currentTime : begins.current) });
    };
    // Its length is told with its first picture: drawing it before would hold up what fills the element.
    const tellLength = () => {
      if (element.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA)
        dispatch({ type: 'length', duration: element.duration });
    };
    const listeners: Record<string, () => void> = {
      play: () => {
        // Of a start that failed, or was taken back, before this was told.
        if (element.paused) return;
        const waiting = element.readyState < HTMLMediaElement.HAVE_FUTURE_DATA;
        dispatch({ type: 'played', at: performance.now(), waiting });
      },
      playing: () => dispatch({ type: 'goesOn', ...placeIn(element) }),
      pause: () => !element.ended && dispatch({ type: 'paused' }),
      waiting: () => {
        // Up to here it has played. Before there is a picture it is nowhere yet.
        if (element.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) onMoved();
        dispatch({ type: 'waiting' });
      },
      timeupdate: onMoved,
      seeking: onMoved,
      progress: onMoved,
      ended: () => dispatch({ type: 'ended' }),
      loadedmetadata: () => {
        if (jumped.current) element.currentTime = begins.current;
        jumped.current = false;
      },
      durationchange: tellLength,
      canplay: tellLength,
      ratechange: () => dispatch({ type: 'rate', rate: element.playbackRate }),
      volumechange: () => dispatch({ type: 'volume', volume: element.volume, muted: element.muted }),
    };
    for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) element.removeEventListener(name, listener);
    };
  }, [media]);

  const stall = useRef<StallClock | null>(null);
  const look = useEffectEvent(() => {
    const element = media.current;
    if (element === null) return;
    const position = element.currentTime;
    const { clock, verdict } = watchStall(stall.current, {
      now: performance.now(),
      position,
      wanted: state.playing && state.failure === null && !document.hidden,
      ahead: loadedFrom(element, position) - position,
      online: navigator.onLine,
    });
    const stood = stall.current?.position === position && clock !== null;
    stall.current = clock;
    if (stood && hasReachedEnd(state)) {
      element.pause();
      dispatch({ type: 'ended' });
    } else if (verdict === 'nudge') engine.current?.nudge();
    else if (verdict !== null) {
      element.pause();
      dispatch({ type: 'failed', why: verdict });
    }
  });
  useEffect(() => {
    const timer = setInterval(look, LOOK_EVERY);
    return () => clearInterval(timer);
  }, []);

  const now = useRef(state);
  useEffect(() => {
    now.current = state;
  });
  const controls = useMemo<PlaybackControls>(() => {
    const on = (work: (element: HTMLMediaElement) => void) => {
      if (media.current !== null) work(media.current);
    };
    // A start that the browser refuses, or that the next one interrupts, leaves the play button: it is no failure.
    const play = () =>
      on((element) => {
        wanted.current = true;
        openAgain.current?.();
        element.play().catch(() => {
          if (element.paused && attached.current) dispatch({ type: 'paused' });
        });
      });
    const pause = () =>
      on((element) => {
        wanted.current = false;
        element.pause();
      });
    const seek = (to: number) =>
      on((element) => {
        const place = Math.min(Math.max(0, to), Math.max(0, now.current.duration - 0.1));
        if (element.readyState === HTMLMediaElement.HAVE_NOTHING) {
          begins.current = place;
          jumped.current = true;
        } else element.currentTime = place;
        dispatch({ type: 'moved', ...placeIn(element, place) });
      });
    const reopen = () => {
      dispatch({ type: 'reopened' });
      engine.current?.reopen();
      play();
    };
    return {
      play,
      pause,
      seek,
      toggle: () =>
        on(({ paused }) => {
          const { playing, ended, failure } = now.current;
          // What is shown may be behind the element: the second of two quick clicks takes back the first.
          if (playing && !paused) pause();
          else if (failure !== null) reopen();
          else {
            if (ended) seek(0);
            play();
          }
        }),
      setRate: (next) =>
        on((element) => {
          element.defaultPlaybackRate = next;
          element.playbackRate = next;
        }),
      setVolume: (next) =>
        on((element) => {
          element.volume = Math.min(1, Math.max(0, next));
          element.muted = false;
        }),
      toggleMute: () =>
        on((element) => {
          element.muted = !element.muted;
        }),
      chooseQuality: (index) => {
        engine.current?.chooseQuality(index);
        dispatch({ type: 'chooseQuality', index });
      },
      chooseSubtitles: (index) => dispatch({ type: 'chooseSubtitles', index }),
      reopen,
      isWanted: () => wanted.current,
    };
  }, [media]);
  return { state, controls };
}

/** Where a film is, or will be once it has jumped. */
const placeIn = (element: HTMLMediaElement, position = element.currentTime) => ({
  position,
  loadedTo: loadedFrom(element, position),
  at: performance.now(),
});
