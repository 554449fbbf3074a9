import { type RefObject, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { type LiveEngine, type LiveFailure, type LiveSource, openLive } from './live-engine.ts';

/** What somebody decides about staying near the newest picture. Seconds. */
export interface FollowEdge {
  /** Where to be, and how fast to play. */
  step: (edge: { position: number; from: number; until: number; rate: number; target: number }) => {
    jumpTo: number | null;
    rate: number;
  };
  /** How far behind the newest picture it wants to be at first, and after it ran dry. */
  target: number;
  afterStall: (target: number) => number;
  /** From here on it is late. */
  late: number;
  /** The same where the browser itself decides what it loads (HLS), which is further behind. */
  native: { target: number; late: number };
}

interface LivePlayback {
  /** A stream has come since it was opened. */
  begun: boolean;
  /** Play is wanted: by itself, until somebody pauses. */
  playing: boolean;
  /** It should move and does not. */
  waiting: boolean;
  /** The browser lets it play without its sound alone. */
  silenced: boolean;
  late: boolean;
  muted: boolean;
  volume: number;
  failure: LiveFailure | null;
}

interface LiveControls {
  toggle(): void;
  toggleMute(): void;
  setVolume(volume: number): void;
  /** To the newest picture. */
  toEdge(): void;
  /** Tries again after a failure. */
  reopen(): void;
}

/** Milliseconds between looks at where it stands. */
const LOOK_EVERY = 400;
/** Of looks in a row at which it stood still before it counts as stalled. */
const STANDS = 2;

/** The newest picture that a browser knows of which plays HLS by itself (seconds): some say where one can go, others what they hold alone. */
const newest = ({ seekable, buffered, currentTime }: HTMLVideoElement) =>
  Math.max(currentTime, ...[seekable, buffered].map((range) => (range.length === 0 ? 0 : range.end(range.length - 1))));

/** Plays a live stream in a media element and keeps it near the newest picture. Another source is a new player (`key`). */
export function useLivePlayback(
  media: RefObject<HTMLVideoElement | null>,
  { source, follow, volume, live }: { source: LiveSource; follow: FollowEdge; volume: number; live: boolean },
): { state: LivePlayback; controls: LiveControls } {
  const [state, setState] = useState<LivePlayback>({
    ...{ begun: false, playing: true, waiting: true, silenced: false, late: false, muted: false },
    ...{ volume, failure: null },
  });
  const [opened, setOpened] = useState(0);
  const change = useCallback(
    (next: Partial<LivePlayback>) =>
      setState((before) =>
        (Object.keys(next) as (keyof LivePlayback)[]).some((name) => before[name] !== next[name])
          ? { ...before, ...next }
          : before,
      ),
    [],
  );
  const engine = useRef<LiveEngine | null>(null);
  const edge = useRef({ target: follow.target, last: 0, stood: 0, moved: false });

  const play = useEffectEvent((element: HTMLVideoElement) => {
    if (!state.playing) return;
    element.play().catch((error: unknown) => {
      // Played without being asked it may have no sound: the way to it stands over the picture.
      if (!(error instanceof DOMException) || error.name !== 'NotAllowedError' || element.muted) return;
      element.muted = true;
      change({ silenced: true });
      element.play().catch(() => change({ playing: false }));
    });
  });
  const open = useEffectEvent((element: HTMLVideoElement) =>
    openLive(element, source, {
      onOpen: () => undefined,
      onStream: () => {
        edge.current = { ...edge.current, moved: false, stood: 0, last: 0 };
        change({ begun: true, waiting: true });
        play(element);
      },
      onFailure: (failure) => change({ failure }),
    }),
  );
  const tellLive = useEffectEvent((mine: LiveEngine) => mine.comes(live));
  const begin = useEffectEvent((element: HTMLVideoElement) => {
    element.volume = state.volume;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each number is another opening, and after a failure another element
  useEffect(() => {
    const element = media.current;
    if (element === null) return;
    begin(element);
    const mine = open(element);
    engine.current = mine;
    tellLive(mine);
    const onVolume = () =>
      change({ muted: element.muted, volume: element.volume, ...(element.muted ? {} : { silenced: false }) });
    element.addEventListener('volumechange', onVolume);
    return () => {
      element.removeEventListener('volumechange', onVolume);
      mine.destroy();
      engine.current = null;
    };
  }, [media, opened, change]);
  useEffect(() => engine.current?.comes(live), [live]);

  const lookAtNative = (element: HTMLVideoElement) => {
    const own = edge.current;
    const late = newest(element) - element.currentTime > follow.native.late;
    if (!state.playing) return change({ late });
    if (element.paused && element.src !== '') play(element);
    own.stood = element.currentTime === own.last ? own.stood + 1 : 0;
    own.last = element.currentTime;
    change({ waiting: own.stood >= STANDS, late });
  };
  const look = useEffectEvent(() => {
    const element = media.current;
    if (element === null) return;
    if (engine.current?.isNative) return lookAtNative(element);
    if (element.buffered.length === 0) return;
    const own = edge.current;
    const position = element.currentTime;
    const from = element.buffered.start(element.buffered.length - 1);
    const until = element.buffered.end(element.buffered.length - 1);
    if (!state.playing) return change({ late: until - position > follow.late });
    // Something else paused it: a call on a phone, a browser that saves.
    if (element.paused) play(element);
    const stands = position === own.last;
    own.stood = stands ? own.stood + 1 : 0;
    own.last = position;
    if (own.stood === STANDS && own.moved) own.target = follow.afterStall(own.target);
    if (!stands) own.moved = true;
    const { jumpTo, rate } = follow.step({ position, from, until, rate: element.playbackRate, target: own.target });
    // A jump of a hair would be repeated at each look.
    if (jumpTo !== null && Math.abs(jumpTo - position) > 0.05) element.currentTime = jumpTo;
    if (element.playbackRate !== rate) element.playbackRate = rate;
    change({ waiting: own.stood >= STANDS, late: until - element.currentTime > follow.late });
  });
  useEffect(() => {
    const timer = setInterval(() => look(), LOOK_EVERY);
    return () => clearInterval(timer);
  }, []);

  const toEdge = useEffectEvent(() => {
    const element = media.current;
    if (element === null) return;
    if (engine.current?.isNative) {
      if (newest(element) - element.currentTime > follow.native.late)
        element.currentTime = newest(element) - follow.native.target;
      return;
    }
    if (element.buffered.length === 0) return;
    element.currentTime = Math.max(0, element.buffered.end(element.buffered.length - 1) - edge.current.target);
  });
  const setPlaying = useEffectEvent((playing: boolean) => {
    change({ playing });
    engine.current?.pause(!playing);
    const element = media.current;
    if (!playing) element?.pause();
    else if (element !== null) {
      toEdge();
      element.play().catch(() => undefined);
    }
  });
  const playing = state.playing;
  const controls = useMemo<LiveControls>(
    () => ({
      toggle: () => setPlaying(!playing),
      toggleMute: () => {
        if (media.current) media.current.muted = !media.current.muted;
      },
      setVolume: (next) => {
        if (!media.current) return;
        media.current.muted = next === 0;
        media.current.volume = Math.min(1, Math.max(0, next));
      },
      toEdge: () => (playing ? toEdge() : setPlaying(true)),
      reopen: () => {
        change({ failure: null, waiting: true });
        setOpened((times) => times + 1);
      },
    }),
    [media, playing, change],
  );
  return { state, controls };
}
