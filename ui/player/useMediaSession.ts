import { useEffect } from 'react';
import type { Playback } from './playback-state.ts';
import type { PlaybackControls } from './usePlayback.ts';

/** What a locked phone shows of what plays, and its buttons. */
export interface NowPlaying {
  title: string;
  album: string;
  /** Address of its picture. */
  artwork?: string;
  onPrevious?: () => void;
  onNext?: () => void;
}

const STEP = 10;

/** Gives the system's own controls (lock screen, headset, keyboard) to what plays. */
export function useMediaSession(
  { title, album, artwork, onPrevious, onNext }: NowPlaying,
  { playing, position }: Playback,
  controls: PlaybackControls,
): void {
  useEffect(() => {
    if (!('mediaSession' in navigator)) return;
    navigator.mediaSession.metadata = new MediaMetadata({
      title,
      album,
      ...(artwork === undefined ? {} : { artwork: [{ src: artwork }] }),
    });
    return () => {
      navigator.mediaSession.metadata = null;
    };
  }, [title, album, artwork]);
  useEffect(() => {
    if ('mediaSession' in navigator) navigator.mediaSession.playbackState = playing ? 'playing' : 'paused';
  }, [playing]);
  useEffect(() => {
    if (!('mediaSession' in navigator)) return;
    const actions: [MediaSessionAction, MediaSessionActionHandler | null][] = [
      ['play', controls.play],
      ['pause', controls.pause],
      ['seekbackward', ({ seekOffset }) => controls.seek(position - (seekOffset ?? STEP))],
      ['seekforward', ({ seekOffset }) => controls.seek(position + (seekOffset ?? STEP))],
      ['seekto', ({ seekTime }) => seekTime !== undefined && controls.seek(seekTime)],
      ['previoustrack', onPrevious ?? null],
      ['nexttrack', onNext ?? null],
    ];
    for (const [action, handler] of actions) {
      try {
        navigator.mediaSession.setActionHandler(action, handler);
      } catch {
        // A browser need not know every action.
      }
    }
  }, [controls, position, onPrevious, onNext]);
}
