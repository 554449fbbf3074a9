import { playbackRates } from '#contract/values/play.ts';
import { recall, remember } from '#web/lib/remember.ts';

/** How somebody likes to watch, in this browser: the rate, the loudness (0 to 1), and the quality by the lines of its picture (null: by itself), and the language of the subtitles (null: none). */
interface PlaySettings {
  rate: number;
  volume: number;
  lines: number | null;
  subtitles: string | null;
}

/** What was chosen last; what is not remembered, or is none of the choices any more, as the product spec has it. */
export function recallPlaySettings(): PlaySettings {
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
