import { createCipheriv } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LONGEST_MEDIA } from '#contract/values/play.ts';
import { frameRateOf, ladderOf, type Rung, type ThumbnailGrid, thumbnailGrid } from '#rules/media/ladder.ts';
import { bandwidthOf, type Segment } from '#rules/media/playlist.ts';
import type { Files } from '#server/files.ts';
import { CORES_EACH, JobRefused } from '#server/job/worker.ts';
import type { Random } from '#server/parts.ts';
import { bounded, type Ffmpeg, type RunOptions } from './ffmpeg.ts';
import { measure, measurePicture, needFfmpeg, type Source } from './probe.ts';

/** Seconds of a segment: each begins with a key frame, at the same moment in every quality. */
const SEGMENT = 3;
/** How much shorter than its source a quality may be (milliseconds): the last frames of sound and picture differ. */
const SHORTER_BY = 500;
const AUDIO_RATE = 128_000;
const AAC = 'mp4a.40.2';

/** One quality, made and stored. */
export interface MadeRendition {
  /** As its address names it, e.g. `720-5f3a91c0`. */
  name: string;
  file: string;
  key: string;
  width: number | null;
  height: number | null;
  frameRate: number | null;
  codecs: string;
  bandwidth: number;
  averageBandwidth: number;
  duration: number;
  segments: readonly Segment[];
}

/** What a source became. */
export interface Made {
  kind: 'video' | 'audio';
  duration: number;
  poster: string | null;
  thumbnails: string | null;
  grid: ThumbnailGrid | null;
  renditions: MadeRendition[];
}

interface Making extends RunOptions {
  folder: string;
  /** Told how far it is, 0 to 100. */
  percent(done: number): void;
}

const WRONG_PICTURE = {
  tooSmall: '画面太小（短边不到 16 像素），不能转换',
  tooLarge: '画面太大（长边超过 8192 像素），请缩小后再上传',
  tooLong: '画面太扁或太窄，不能转换',
} as const;

const TOO_LONG = `文件的时长超过 ${LONGEST_MEDIA / 3600} 小时（也可能是时间戳有误），请剪短或重新导出后再上传`;

const NO_PARAMETERS = '转换出来的画面没有编码参数，不能播放，请换一种格式（H.264 + AAC 的 MP4）重新导出后再上传';

/** How a parameter set begins as the encoder writes it (ISO 14496-10, Annex B and §7.4.1). */
const PARAMETER_SET = Buffer.from('00000167', 'hex');

/** Colours of every screen: from HDR by tone mapping, else by the matrix alone. What HDR does not say of its colours is as ITU-R BT.2100 has it. */
const colours = (hdr: boolean, ffmpeg: Ffmpeg) =>
  hdr && ffmpeg.toneMaps
    ? 'format=yuv420p10,zscale=pin=bt2020:min=bt2020nc:p=bt2020:t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,'
    : '';
/** Leaves out frames that no quality shows, before each is given its size. Those that come at odd times stay near enough for the rate to choose. */
const thinned = (frameRate: number, rate: number) =>
  frameRate > rate ? `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${0.6 / rate})',` : '';
const sized = (width: number, height: number) =>
  `scale=${width}:${height}:flags=bicubic:out_color_matrix=bt709:out_range=tv,format=yuv420p,setsar=1`;
const HLS = ['-f', 'hls', '-hls_time', String(SEGMENT), '-hls_list_size', '0', '-hls_playlist_type', 'vod'];
const SOUND = ['-af', 'aresample=async=1:first_pts=0', '-c:a', 'aac', '-ac', '2', '-ar', '48000'];
/** Nothing else of the source goes on: titles, chapters, subtitles and data are not ours to show. */
const BARE = ['-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn', '-max_muxing_queue_size', '4096'];
/** Sound waits for its picture, however long that stands still: after the usual 10 s it would go into a segment that it is not of. */
const IN_STEP = ['-max_interleave_delta', '0'];
/** But where the sound ends so much before the picture (milliseconds), all of the rest would wait for it in memory, and the run seem to hang. */
const SOUND_GONE = 10_000;

const toFolder = (name: string) => ['-hls_segment_filename', `${name}_%06d.ts`, `${name}.m3u8`];

/** Looks how far a quality is (milliseconds): up to the segment that is written now. */
function segmentsReached(folder: string, name: string): () => Promise<number> {
  let at = 0;
  const isThere = (segment: number) =>
    access(join(folder, `${name}_${String(segment).padStart(6, '0')}.ts`)).then(
      () => true,
      () => false,
    );
  return async () => {
    while (await isThere(at + 1)) at += 1;
    return at * SEGMENT * 1000;
  };
}

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);

/** How long the picture and the sound of a source are, as its bytes say (milliseconds); 0: it has none. */
interface Lengths {
  picture: number;
  sound: number;
}

async function lengthsOf(ffmpeg: Ffmpeg, source: Source, run: RunOptions): Promise<Lengths> {
  const lengthOf = async (stream: number | null | undefined) =>
    typeof stream === 'number' ? measure(ffmpeg, source, [stream], run) : 0;
  const [picture, sound] = [await lengthOf(source.video?.stream), await lengthOf(source.audio)];
  if (!isLonger(sound, picture)) return { picture, sound };
  // Packets come in the order of decoding: where the last pictures stand for long, they seem to end before them, and never behind.
  const decoded = await measurePicture(ffmpeg, source, run);
  const frame = 1000 / frameRateOf(source.video?.frameRate ?? 0);
  if (decoded < picture - Math.max(SHORTER_BY, 2 * frame)) throw incomplete(sound, decoded);
  return { picture: decoded, sound };
}

const incomplete = (length: number, made: number) =>
  new JobRefused(
    `文件不完整：应有 ${seconds(length)} 秒，只能读到 ${seconds(Math.max(made, 0))} 秒，请重新导出或重新上传`,
  );

const isLonger = (sound: number, picture: number) => picture > 0 && sound > picture + SHORTER_BY;

/**
 * For how long the last picture stands while the sound goes on (milliseconds): what records a screen writes no picture where none changes, and
 * what is said then belongs to the film.
 * @throws JobRefused where this FFmpeg cannot hold a picture
 */
function standsFor({ holds }: Ffmpeg, { picture, sound }: Lengths): number {
  if (!isLonger(sound, picture)) return 0;
  if (!holds)
    throw new JobRefused(
      `声音比画面长 ${seconds(sound - picture)} 秒，服务器的 FFmpeg 太旧，补不上画面，请更新它（4.1 或更新），或重新导出后再上传`,
    );
  return sound - picture;
}

/**
 * Makes what plays out of a source: every quality in one run that decodes it once, cut where all qualities have a key frame,
 * encrypted segment by segment under a key of its own, and stored whole. Nothing is taken that is shorter than the source
 * (incidents: PeerTube#3666, #4320).
 * @throws JobRefused, JobTrouble
 */
export async function transcode(
  { ffmpeg, files, random }: { ffmpeg: Ffmpeg; files: Files; random: Random },
  source: Source,
  making: Making,
): Promise<Made> {
  const { folder, percent, ...run } = making;
  await mkdir(folder, { recursive: true });
  const lengths = await lengthsOf(ffmpeg, source, run);
  const length = source.duration ?? Math.max(lengths.picture, lengths.sound);
  /** As far as anything in it reaches, whatever the file says of itself. */
  const reach = Math.max(length, lengths.picture, lengths.sound);
  // Frames that say they are days apart would be filled in between, one by one, while every other film waits.
  if (reach > LONGEST_MEDIA * 1000) throw new JobRefused(TOO_LONG);
  if (length < 1) throw new JobRefused('文件没有长度：没有可以播放的内容');
  const rungs = rungsOf(source);
  const grid = source.video && thumbnailGrid(source.video, length);
  const stands = standsFor(ffmpeg, lengths);
  const inStep = source.audio !== null && lengths.picture <= lengths.sound + SOUND_GONE ? IN_STEP : [];
  await needFfmpeg(ffmpeg.path, argumentsOf(ffmpeg, source, rungs, { grid, stands, inStep }), {
    ...{ ...run, folder, longest: Math.max(30 * 60_000, reach * 30) },
    progress: (done) => percent((Math.min(done, reach) / reach) * 90),
    reached: segmentsReached(folder, rungs[0]?.name ?? ''),
  });
  const cut = await Promise.all(rungs.map(async ({ name }) => ({ name, segments: await readSegments(folder, name) })));
  const made = Math.min(...cut.map(({ segments }) => segments.reduce((sum, { duration }) => sum + duration, 0)));
  refuseShort(lengths, { length, made });
  const renditions: MadeRendition[] = [];
  for (const [at, rung] of rungs.entries()) {
    making.signal?.throwIfAborted();
    const segments = cut[at]?.segments ?? [];
    renditions.push(await store({ files, random }, folder, rung, segments, source));
    percent(90 + (9 * (at + 1)) / rungs.length);
  }
  const picture = rungs.at(-1);
  const poster =
    source.video && picture ? await posterOf(ffmpeg, files, source, { ...picture, length, folder }, run) : null;
  const thumbnails = grid && (await storePicture(files, join(folder, 'thumbnails.jpg')));
  return {
    ...{ kind: source.video ? 'video' : 'audio', duration: Math.floor(made), renditions },
    ...{ poster, thumbnails, grid: thumbnails === null ? null : grid },
  };
}

/** Stores a picture that FFmpeg was to make; null: there was no frame for it, which FFmpeg takes for success. */
async function storePicture(files: Files, path: string): Promise<string | null> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return bytes && bytes.byteLength > 0 ? files.put(bytes, 'jpg') : null;
}

type Output = Rung | { name: 'audio'; width: null; height: null; videoRate: 0; audioRate: number };

/** The qualities that a source is made into. */
export function rungsOf({ video }: Source): Output[] {
  if (!video) return [{ name: 'audio', width: null, height: null, videoRate: 0, audioRate: AUDIO_RATE }];
  const ladder = ladderOf(video);
  if (!ladder.ok) throw new JobRefused(WRONG_PICTURE[ladder.why]);
  return ladder.rungs;
}

/** The whole command line: one input, one output for each quality, one for the small pictures. */
export function argumentsOf(
  ffmpeg: Ffmpeg,
  source: Source,
  outputs: readonly Output[],
  { grid, stands, inStep }: { grid: ThumbnailGrid | null; stands: number; inStep: readonly string[] },
): string[] {
  const { video, audio, container, path } = source;
  const input = bounded(container.demuxer, path);
  const sound = (rate: number) => (audio === null ? [] : ['-map', `0:${audio}`, ...SOUND, '-b:a', String(rate)]);
  if (!video || !grid) {
    return [...input, ...sound(AUDIO_RATE), '-vn', ...BARE, ...HLS, ...toFolder('audio')];
  }
  const pictures = outputs.filter((output) => output.width !== null);
  const labels = pictures.map((_, at) => `[s${at}]`).join('');
  const rate = frameRateOf(video.frameRate);
  const held = stands > 0 ? `,tpad=stop_mode=clone:stop_duration=${stands / 1000}` : '';
  // A picture that stands is repeated when it has its size: repeated before, each would have a gigabyte made of it for half a minute.
  // Colours of HDR are turned at the size of the largest quality: at that of 4K it is most of the work.
  const largest = video.hdr ? pictures.at(-1) : undefined;
  const smaller = largest ? `scale=${largest.width}:${largest.height}:flags=bicubic,` : '';
  const graph = [
    `[0:${video.stream}]${thinned(video.frameRate, rate)}${smaller}${colours(video.hdr, ffmpeg)}split=${pictures.length + 1}${labels}[st]`,
    ...pictures.map(({ width, height }, at) => `[s${at}]${sized(width, height)},fps=${rate}${held}[v${at}]`),
    `[st]fps=1000/${grid.every}${held},${sized(grid.width, grid.height)},tile=${grid.columns}x${grid.rows}[t]`,
  ].join(';');
  const threads = String(CORES_EACH);
  return [
    ...input,
    ...['-filter_threads', threads, '-filter_complex_threads', threads, '-filter_complex', graph],
    ...pictures.flatMap(({ name, videoRate, audioRate }, at) => [
      ...['-map', `[v${at}]`, ...sound(audioRate)],
      ...[
        '-c:v',
        'libx264',
        '-preset',
        'veryfast',
        '-profile:v',
        name === '360' ? 'main' : 'high',
        '-threads',
        threads,
      ],
      ...['-crf', '23', '-maxrate', String(videoRate), '-bufsize', String(videoRate * 2)],
      // A key frame at each multiple of the length and nowhere else, so that all qualities are cut at the same moments.
      ...['-force_key_frames', `expr:gte(t,n_forced*${SEGMENT})`, '-sc_threshold', '0', '-g', '9999'],
      ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
      ...[...ffmpeg.evenFrames, ...BARE, ...inStep, ...HLS, ...toFolder(name)],
    ]),
    ...['-map', '[t]', '-frames:v', '1', '-q:v', '5', ...BARE, '-f', 'image2', '-update', '1', 'thumbnails.jpg'],
  ];
}

interface Cut {
  path: string;
  /** Milliseconds. */
  duration: number;
}

/** The segments as FFmpeg's own list has them, which nobody else ever sees. */
async function readSegments(folder: string, name: string): Promise<Cut[]> {
  const list = await readFile(join(folder, `${name}.m3u8`), 'utf8').catch(() => '');
  const found = [...list.matchAll(/#EXTINF:([\d.]+),[^\n]*\n(\w+\.ts)/g)];
  return found.map(([, seconds = '', file = '']) => ({ path: join(folder, file), duration: Number(seconds) * 1000 }));
}

/** Refuses what became shorter than its source. */
function refuseShort({ picture, sound }: Lengths, { length, made }: { length: number; made: number }): void {
  if (made > 0 && made >= length - SHORTER_BY) return;
  // The bytes have to hold what the file says of itself, and all of it has to be in what was made.
  const read = Math.max(picture, sound);
  if (made > 0 && read >= length - SHORTER_BY && made >= read - SHORTER_BY) return;
  throw incomplete(length, made);
}

/** Encrypts the segments of one quality, one by one, and stores them behind each other. */
async function store(
  { files, random }: { files: Files; random: Random },
  folder: string,
  { name, width, height }: Output,
  cut: readonly Cut[],
  source: Source,
): Promise<MadeRendition> {
  const key = random(16);
  const segments: Segment[] = [];
  async function* encrypted() {
    for (const [at, { path, duration }] of cut.entries()) {
      const vector = Buffer.alloc(16);
      vector.writeUInt32BE(at, 12);
      const cipher = createCipheriv('aes-128-cbc', key, vector);
      let bytes = 0;
      // Not `pipe`: it leaves the error of a file that cannot be read to nobody.
      for await (const plain of createReadStream(path, { highWaterMark: 256 * 1024 })) {
        const piece = cipher.update(plain as Buffer);
        bytes += piece.length;
        yield piece;
      }
      const last = cipher.final();
      bytes += last.length;
      yield last;
      segments.push([Math.round(duration), bytes]);
    }
  }
  const { name: file } = await files.putStream(encrypted(), 'aes');
  const h264 = width === null ? null : await h264Name(cut[0]?.path ?? join(folder, 'none'));
  return {
    // Named by its bytes too: who plays an earlier making goes on with that one.
    ...{ name: `${name}-${file.slice(3, 11)}`, file, key: key.toString('hex'), width, height, segments },
    frameRate: source.video && frameRateOf(source.video.frameRate),
    codecs: [h264, source.video && source.audio === null ? null : AAC].filter(Boolean).join(','),
    duration: Math.floor(cut.reduce((sum, { duration }) => sum + duration, 0)),
    ...bandwidthOf(segments),
  };
}

/**
 * The name of what the encoder made (RFC 6381), as the first parameter set says it: profile, constraints, level. It may lie behind
 * any amount of sound.
 * @throws JobRefused where there is none in this segment
 */
async function h264Name(path: string): Promise<string> {
  let kept = Buffer.alloc(0);
  for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    const seen = Buffer.concat([kept, piece as Buffer]);
    const at = seen.indexOf(PARAMETER_SET);
    const named = at + PARAMETER_SET.length;
    if (at >= 0 && named + 3 <= seen.length) return `avc1.${seen.toString('hex', named, named + 3)}`;
    // It may be cut in two where one piece ends.
    kept = seen.subarray(at >= 0 ? at : Math.max(0, seen.length - PARAMETER_SET.length));
  }
  throw new JobRefused(NO_PARAMETERS);
}

/**
 * One frame that stands for the video: the most usual one of some seconds near its beginning, since the first is often black; of its
 * first frames where there is none, as in a picture that ends long before its sound. Null: no frame anywhere.
 */
async function posterOf(
  ffmpeg: Ffmpeg,
  files: Files,
  source: Source,
  { width, height, length, folder }: { width: number | null; height: number | null; length: number; folder: string },
  run: RunOptions,
): Promise<string | null> {
  const { video, container, path } = source;
  if (!video || width === null || height === null) return null;
  const from = String(Math.min(length / 10_000, 10));
  const places = [
    { seek: ['-ss', from, '-t', '5'], rate: 'fps=5,' },
    // Every frame counts here: of a single short one a rate would leave none.
    { seek: [], rate: '' },
  ];
  for (const { seek, rate } of places) {
    const look = `${rate}thumbnail=20,${colours(video.hdr, ffmpeg)}${sized(width, height)}`;
    const looked = needFfmpeg(
      ffmpeg.path,
      [
        ...[...seek, ...bounded(container.demuxer, path), '-map', `0:${video.stream}`],
        ...['-vf', look, '-frames:v', '1', '-q:v', '4'],
        ...[...BARE, '-f', 'image2', '-update', '1', 'poster.jpg'],
      ],
      { ...run, folder },
    );
    // Some FFmpegs take it for a fault that there is no frame, as where the picture begins later: the film plays all the same.
    await looked.catch((error: unknown) => {
      if (!(error instanceof JobRefused)) throw error;
    });
    const poster = await storePicture(files, join(folder, 'poster.jpg'));
    if (poster !== null) return poster;
  }
  return null;
}
