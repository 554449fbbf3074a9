import type { Writable } from 'node:stream';
import { type FrameRecord, writeRecord } from './frames.ts';

/** Bytes that may wait for a server that is busy. */
const MOST_WAITING = 8 * 1024 * 1024;

/**
 * Hands frames to the server by a pipe, those of one turn together. While the server takes none, a little waits; what is more is left
 * out up to the next key frame, so that nobody's memory grows and viewers go on with a whole picture.
 */
export function framePipe(
  pipe: Pick<Writable, 'write' | 'cork' | 'uncork' | 'writableLength'>,
): (record: FrameRecord) => void {
  const lagging = new Set<string>();
  const withVideo = new Set<string>();
  let corked = false;
  const isLeftOut = ({ kind, stream, bytes }: FrameRecord): boolean => {
    if (kind === 'begin' || kind === 'end') {
      // FLV's byte of flags: the lowest says that there is video.
      if (kind === 'begin' && ((bytes[4] ?? 0) & 1) === 1) withVideo.add(stream);
      else withVideo.delete(stream);
      if (kind === 'end') lagging.delete(stream);
      return false;
    }
    const starts = kind === 'key' || !withVideo.has(stream);
    if (pipe.writableLength > MOST_WAITING) lagging.add(stream);
    else if (starts && pipe.writableLength < MOST_WAITING / 2) lagging.delete(stream);
    return lagging.has(stream);
  };
  return (record) => {
    if (isLeftOut(record)) return;
    if (!corked) {
      corked = true;
      pipe.cork();
      process.nextTick(() => {
        corked = false;
        pipe.uncork();
      });
    }
    for (const piece of writeRecord(record)) pipe.write(piece);
  };
}
