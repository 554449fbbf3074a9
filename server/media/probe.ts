import { open } from 'node:fs/promises';
import { type Container, containerOf, HEAD_BYTES } from '#rules/media/container.ts';
import { isFilm, toldOfInput } from '#rules/media/ffmpeg-input.ts';
import { ffmpegReason } from '#rules/media/ffmpeg-reason.ts';
import { frameRateOf, type Picture } from '#rules/media/ladder.ts';
import { JobRefused, JobTrouble } from '#server/job/worker.ts';
import { bounded, type Ffmpeg, type RunOptions, type RunResult, startFfmpeg } from './ffmpeg.ts';

/** What a source turned out to be. */
export interface Source {
  path: string;
  container: Container;
  /** The first film in it, upright and with square pixels; null: sound alone (a cover is no film). */
  video: (Picture & { stream: number; hdr: boolean }) | null;
  /** The number of the first sound in it; null: silent. */
  audio: number | null;
  /** Milliseconds; null: the file does not say. */
  duration: number | null;
}

/** What nothing here takes, in words for the person who brought it. */
const NO_MEDIA = '不是可以识别的视频或音频文件。请上传 MP4、MOV、MKV、WebM、AVI、FLV、WMV、MP3、M4A、WAV 等文件';
const EMPTY = '文件是空的，请重新上传';
const KILLED = '转换程序被服务器中断，可能是服务器内存不足';
const HUNG = 'FFmpeg 长时间没有进展，已停止';

/** Reads what a file is. @throws JobRefused when it is none that is taken */
export async function readContainer(path: string): Promise<Container> {
  const file = await open(path, 'r');
  try {
    const head = new Uint8Array(HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
    if (bytesRead === 0) throw new JobRefused(EMPTY);
    const container = containerOf(head.subarray(0, bytesRead));
    if (!container) throw new JobRefused(NO_MEDIA);
    return container;
  } finally {
    await file.close();
  }
}

/** Says why a run did not go well. */
function faultOf({ ended, said }: Pick<RunResult, 'ended' | 'said'>): Error {
  if (ended === 'stalled' || ended === 'tooLong') return new JobTrouble(HUNG);
  if (ended === 'killed') return new JobTrouble(KILLED);
  const { says, later } = ffmpegReason(said);
  return later ? new JobTrouble(says) : new JobRefused(says);
}

/** Runs FFmpeg and takes only what went well. @throws JobRefused, JobTrouble */
export async function needFfmpeg(path: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  const result = await startFfmpeg(path, args, options);
  options.signal?.throwIfAborted();
  if (result.code !== 0) throw faultOf(result);
  return result;
}

/**
 * Finds out what a source is: its kind by its first bytes, its streams by FFmpeg, its picture by decoding one frame of it, which
 * is then turned and has the size that the encoder will see.
 * @throws JobRefused, JobTrouble with a sentence for the person who brought it
 */
export async function probe(ffmpeg: Ffmpeg, path: string, options: RunOptions): Promise<Source> {
  const container = await readContainer(path);
  const input = bounded(container.demuxer, path);
  // Without an output it tells of the input, and ends with an error that says nothing else.
  const about = await startFfmpeg(ffmpeg.path, [...input, '-loglevel', 'info'], options);
  options.signal?.throwIfAborted();
  const { streams, duration } = toldOfInput(about.said, container.demuxer);
  const film = streams.find((stream) => stream.kind === 'Video' && isFilm(stream));
  const sound = streams.find(({ kind, says }) => kind === 'Audio' && !says.startsWith('none'));
  if (!film && !sound) {
    if (about.ended || !about.said.includes('Input #0')) throw faultOf(about);
    throw new JobRefused('文件里没有画面，也没有声音');
  }
  return {
    ...{ path, container, audio: sound?.stream ?? null, duration },
    video: film
      ? {
          ...(await pictureOf(ffmpeg, input, film.stream, options)),
          ...{ stream: film.stream, hdr: /smpte2084|arib-std-b67/.test(film.says) },
        }
      : null,
  };
}

/** Decodes one frame: the head of the uncompressed film tells its size, rate and shape of pixels (`YUV4MPEG2 W320 H240 F30:1 A1:1`). */
async function pictureOf(ffmpeg: Ffmpeg, input: string[], stream: number, options: RunOptions): Promise<Picture> {
  const args = ['-map', `0:${stream}`, '-frames:v', '1', '-pix_fmt', 'yuv420p', '-f', 'yuv4mpegpipe', 'pipe:1'];
  const { out } = await needFfmpeg(ffmpeg.path, [...input, ...args], options);
  const head = out.subarray(0, 200).toString('latin1').split('\n')[0] ?? '';
  const read = (letter: string) => new RegExp(` ${letter}(\\d+)(?::(\\d+))?`).exec(head);
  const [width, height] = [Number(read('W')?.[1]), Number(read('H')?.[1])];
  if (!(width > 0 && height > 0)) throw new JobRefused('解不出画面，文件可能已损坏');
  const ratio = (found: RegExpExecArray | null) => Number(found?.[1]) / Number(found?.[2]);
  const pixel = ratio(read('A'));
  const frameRate = ratio(read('F'));
  return {
    width: Math.max(1, Math.round(width * (pixel > 0 && Number.isFinite(pixel) ? pixel : 1))),
    height,
    frameRate: Number.isFinite(frameRate) ? frameRate : 0,
  };
}

/** How long a source is, found out by reading it through without decoding it (milliseconds). @param streams which count */
export async function measure(
  ffmpeg: Ffmpeg,
  { path, container }: Pick<Source, 'path' | 'container'>,
  streams: readonly number[],
  options: RunOptions,
): Promise<number> {
  const maps = streams.flatMap((stream) => ['-map', `0:${stream}`]);
  const { outTime } = await needFfmpeg(
    ffmpeg.path,
    [...bounded(container.demuxer, path), ...maps, '-c', 'copy', '-f', 'null', '-'],
    { ...options, progress: () => undefined },
  );
  return outTime;
}

/** How long the picture of a source is, found out by decoding it, as its qualities will have it (milliseconds). 0: it has none. */
export async function measurePicture(
  ffmpeg: Ffmpeg,
  { path, container, video }: Pick<Source, 'path' | 'container' | 'video'>,
  options: RunOptions,
): Promise<number> {
  if (video === null) return 0;
  const even = ['-map', `0:${video.stream}`, '-vf', `fps=${frameRateOf(video.frameRate)}`];
  const { outTime } = await needFfmpeg(
    ffmpeg.path,
    [...bounded(container.demuxer, path), ...even, ...ffmpeg.evenFrames, '-f', 'null', '-'],
    { ...options, progress: () => undefined },
  );
  return outTime;
}
