import { type RefObject, useEffect, useState } from 'react';
import classes from './Player.module.css';

/** Lines of all cues that are shown at this moment; a track that could not be loaded has none. */
function linesOf(track: TextTrack | undefined): string[] {
  return [...(track?.activeCues ?? [])].flatMap((cue) =>
    // Plain lines, whatever a file says of styles and scripts.
    'getCueAsHTML' in cue ? ((cue as VTTCue).getCueAsHTML().textContent ?? '').split('\n') : [],
  );
}

/**
 * The subtitles that were chosen, above the controls. The element itself would lay them beneath those, and shows none of a sound; it only
 * says when which cue is due.
 * @param chosen which of the element's tracks; null: none
 */
export function SubtitleLines({ media, chosen }: { media: RefObject<HTMLVideoElement | null>; chosen: number | null }) {
  const [lines, setLines] = useState<readonly string[]>([]);
  useEffect(() => {
    const tracks = [...(media.current?.textTracks ?? [])];
    // Hidden tracks are loaded and followed; they are asked for with the right to play that the film was opened with.
    for (const track of tracks) track.mode = 'hidden';
    const track = chosen === null ? undefined : tracks[chosen];
    const show = () => setLines(linesOf(track));
    show();
    track?.addEventListener('cuechange', show);
    return () => track?.removeEventListener('cuechange', show);
  }, [media, chosen]);
  if (chosen === null) return null;
  return (
    <p className={classes.subtitles} aria-hidden>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same
        <span key={at}>{line}</span>
      ))}
    </p>
  );
}
