import type { Failure, Quality } from './source.ts';

/** The rates of the product spec §5. */
export const RATES = [0.5, 1, 1.25, 1.5, 2] as const;
/** Chosen of the qualities: by itself. */
export const AUTO = -1;

/** What the screen shows of a film. Seconds. */
export interface Playback {
  /** Play was pressed, and neither pause nor the end came since. */
  playing: boolean;
  /** It should move and does not, for want of data. */
  waiting: boolean;
  ended: boolean;
  position: number;
  /** When the position was read, or play was pressed there: milliseconds of a clock that is never set. What shows it may be late. */
  readAt: number;
  /** What is known of the length: from outside until the film says it. */
  duration: number;
  /** Up to where it is loaded from the position on. */
  loadedTo: number;
  rate: number;
  volume: number;
  muted: boolean;
  qualities: readonly Quality[];
  /** By the person, or `AUTO`. */
  chosenQuality: number;
  /** The one that plays; null: none yet. */
  quality: number | null;
  /** Which of the subtitles are shown; null: none. */
  subtitles: number | null;
  failure: Failure | null;
}

export type PlaybackEvent =
  /** Play was pressed; `waiting`: there is nothing to play yet. */
  | { type: 'played'; at: number; waiting: boolean }
  | { type: 'paused' }
  | { type: 'waiting' }
  /** `goesOn`: what it waited for is there, though it has not moved yet. */
  | { type: 'moved' | 'goesOn'; position: number; loadedTo: number; at: number }
  | { type: 'ended' }
  | { type: 'length'; duration: number }
  | { type: 'rate'; rate: number }
  | { type: 'volume'; volume: number; muted: boolean }
  | { type: 'qualities'; qualities: readonly Quality[] }
  | { type: 'quality'; index: number }
  | { type: 'chooseQuality'; index: number }
  | { type: 'chooseSubtitles'; index: number | null }
  | { type: 'failed'; why: Failure }
  | { type: 'reopened' };

/** Before anything is loaded. */
export function playbackAtStart(known: {
  duration: number;
  position: number;
  rate: number;
  volume: number;
  subtitles?: number | null;
}): Playback {
  return {
    subtitles: null,
    ...known,
    playing: false,
    waiting: false,
    ended: false,
    readAt: 0,
    loadedTo: 0,
    muted: false,
    qualities: [],
    chosenQuality: AUTO,
    quality: null,
    failure: null,
  };
}

/** What is shown after something happened to the film. */
export function playbackNext(state: Playback, event: PlaybackEvent): Playback {
  switch (event.type) {
    case 'played':
      return { ...state, playing: true, waiting: event.waiting, ended: false, failure: null, readAt: event.at };
    case 'paused':
      return { ...state, playing: false, waiting: false };
    case 'waiting':
      return state.playing && !state.waiting ? { ...state, waiting: true } : state;
    case 'moved':
    case 'goesOn': {
      const { position, loadedTo, at } = event;
      const moved = position !== state.position;
      return {
        ...state,
        position,
        loadedTo,
        readAt: at,
        waiting: state.waiting && !moved && event.type !== 'goesOn',
        ended: state.ended && !moved,
      };
    }
    case 'ended':
      return { ...state, playing: false, waiting: false, ended: true };
    case 'length':
      // A stream that cannot say how long it is says Infinity: what is known from outside is better.
      return Number.isFinite(event.duration) && event.duration > 0 ? { ...state, duration: event.duration } : state;
    case 'rate':
      return { ...state, rate: event.rate };
    case 'volume':
      return { ...state, volume: event.volume, muted: event.muted };
    case 'qualities':
      return { ...state, qualities: event.qualities };
    case 'quality':
      return { ...state, quality: event.index };
    case 'chooseQuality':
      return { ...state, chosenQuality: event.index };
    case 'chooseSubtitles':
      return { ...state, subtitles: event.index };
    case 'failed':
      return { ...state, failure: event.why, waiting: false };
    case 'reopened':
      return { ...state, failure: null, waiting: state.playing };
  }
}

/** How near its end a film that does not move any more has ended, though it never says so: its sound or last segment is shorter. */
const END_REACHED = 0.5;

/** Whether a film that stands has in truth ended. */
export function hasReachedEnd({ position, duration, playing }: Playback): boolean {
  return playing && duration > 0 && position >= duration - END_REACHED;
}
