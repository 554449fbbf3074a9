/** A stream as FFmpeg tells of it. */
interface ToldStream {
  stream: number;
  kind: 'Video' | 'Audio';
  /** The rest of its line: `h264 (High), yuv420p, 320x240`. */
  says: string;
}

/** `Stream #0:1[0x2](und): Video: h264 (High), yuv420p, 320x240`; a language may be any text, `Chinese (Simplified)` for one. */
const STREAM = /^ *Stream #0:(\d+)(?:\[[^\]]*\])?(?:\(.*?\))?: (Video|Audio): (.*)$/s;
/** What is no film: a cover, or a small picture for the seek bar. */
const STILL = /\((?:attached pic|timed thumbnails)\)/;
/** A cover as an FFmpeg of 2018 tells of it: a picture without a rate, whose clock it takes for one. */
const COVER = /^(?:png|mjpeg|bmp|gif|webp|tiff)\b(?!.* fps,).*, 90k tbr,/;
/** Its own line is indented by two; what a title or a comment says stands deeper. */
const DURATION = /^ {2}Duration: (\d+):(\d\d):(\d\d\.\d+)(?:, start: (-?\d+\.\d+))?/;
/** Readers that count the length from 0 and not from the first moment that plays. */
const FROM_ZERO: ReadonlySet<string> = new Set(['mov', 'matroska']);

/** Whether a stream of the kind `Video` is a film. */
export const isFilm = ({ says }: ToldStream): boolean => !STILL.test(says) && !COVER.test(says);

const milliseconds = (seconds: number) => Math.round(seconds * 1000);

/**
 * What FFmpeg says of its input: the films and sounds in it, and how long it plays (milliseconds; null: it does not say). What begins
 * later than at 0 is shorter than it says by that; a film of pieces (fragmented MP4) may mean its length alone, and then counts as too
 * short, which costs small pictures, where too long would refuse it as cut off.
 * @param demuxer the reader that FFmpeg used
 */
export function toldOfInput(said: string, demuxer: string): { streams: ToldStream[]; duration: number | null } {
  // By this sign alone: a title may have others that end a line for a pattern (U+2028).
  const lines = said.split('\n');
  const streams = lines.flatMap((line) => {
    const [, stream = '', kind, says = ''] = STREAM.exec(line) ?? [];
    return kind === 'Video' || kind === 'Audio' ? [{ stream: Number(stream), kind, says } as const] : [];
  });
  const told = lines.map((line) => DURATION.exec(line)).find((found) => found !== null);
  if (!told) return { streams, duration: null };
  const [, hours, minutes, seconds, start = '0'] = told;
  const end = milliseconds(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
  const begins = FROM_ZERO.has(demuxer) ? Math.max(0, milliseconds(Number(start))) : 0;
  return { streams, duration: (begins < end ? end - begins : end) || null };
}
