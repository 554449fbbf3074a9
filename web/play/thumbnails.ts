import type { Thumbnail } from '#ui/player/SeekBar.tsx';

const secondsOf = (text: string) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

/** The pictures of a WebVTT track as our pipeline writes it: cues whose text names a part of one picture (`#xywh=`). */
export function readThumbnails(track: string, path: string): Thumbnail[] {
  const found = track.matchAll(/^([\d:.]+) --> ([\d:.]+)[^\n]*\n([^\n#]+)#xywh=(\d+),(\d+),(\d+),(\d+)/gm);
  return [...found].map(([, from = '', to = '', picture = '', x, y, width, height]) => ({
    from: secondsOf(from),
    to: secondsOf(to),
    url: path + picture,
    x: Number(x),
    y: Number(y),
    width: Number(width),
    height: Number(height),
  }));
}
