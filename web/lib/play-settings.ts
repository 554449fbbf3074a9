import { type RefObject, useRef, useState } from 'react';
import { playbackRates } from '#contract/values/play.ts';
import { AUTO, type Playback } from '#ui/player/playback-state.ts';
import type { PlaybackControls } from '#ui/player/usePlayback.ts';
import { recall, remember } from '#web/lib/remember.ts';

/** How somebody likes to watch, in this browser: the rate, the loudness (0 to 1), and the quality by the lines of its picture (null: by itself), and the language of the subtitles (null: none). */
interface PlaySettings {
  rate: number;
  volume: number;
  lines: number | null;
  subtitles: string | null;
}

/** What was chosen last; what is not remembered, or is none of the choices any more, as the product spec has it. */
function recallPlaySettings(): PlaySettings {
  const rate = Number(recall('play.rate') ?? 1);
  const volume = Number(recall('play.volume') ?? 1);
  const lines = Number(recall('play.lines') ?? 0);
  return {
    rate: playbackRates.some((known) => known === rate) ? rate : 1,
    volume: volume >= 0 && volume <= 1 ? volume : 1,
    lines: Number.isInteger(lines) && lines > 0 ? lines : null,
    subtitles: recall('play.subtitles'),
  };
}

/** Remembers what was chosen; what is left out stays. */
export function rememberPlaySettings({ rate, volume, lines, subtitles }: Partial<PlaySettings>): void {
  if (rate !== undefined && playbackRates.some((known) => known === rate)) remember('play.rate', String(rate));
  if (volume !== undefined) remember('play.volume', volume.toFixed(2));
  if (lines !== undefined) remember('play.lines', lines === null ? null : String(lines));
  if (subtitles !== undefined) remember('play.subtitles', subtitles);
}

/**
 * The same for one player: what it opens with, and what remembers each choice that is made in it. A quality that was chosen before is
 * chosen again once its player knows what it has.
 */
export function usePlaySettings(controls: RefObject<PlaybackControls | null>): {
  settings: PlaySettings;
  /** To be told of everything that changes in the player. */
  follow: (state: Playback) => void;
} {
  const [settings] = useState(recallPlaySettings);
  const last = useRef<Playback | null>(null);
  const follow = (state: Playback) => {
    const before = last.current;
    last.current = state;
    const linesOf = (index: number) => state.qualities.find((one) => one.index === index)?.height ?? null;
    if (before && before.rate !== state.rate) rememberPlaySettings({ rate: state.rate });
    if (before && before.volume !== state.volume) rememberPlaySettings({ volume: state.volume });
    if (before && before.chosenQuality !== state.chosenQuality)
      rememberPlaySettings({ lines: state.chosenQuality === AUTO ? null : linesOf(state.chosenQuality) });
    if (before?.qualities === state.qualities) return;
    const liked = state.qualities.find(({ height }) => height === settings.lines);
    if (liked && state.chosenQuality === AUTO) controls.current?.chooseQuality(liked.index);
  };
  return { settings, follow };
}
