import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localFiles } from '#server/files.ts';
import { JobRefused } from '#server/job/worker.ts';
import { type Clips, clipMaker, film, H264, tone } from './clips.test-kit.ts';
import { runFfmpeg } from './ffmpeg.ts';
import { probe } from './probe.ts';
import { made } from './transcode.test-kit.ts';
import { transcode } from './transcode.ts';

let clips: Clips;
beforeAll(async () => {
  clips = await clipMaker();
});
afterAll(() => clips.remove());

/** The kinds of the pieces of H.264 in a segment, in their order: 5 is a key frame, 1 any other. */
function frames(segment: Buffer): number[] {
  const kinds: number[] = [];
  for (let at = segment.indexOf('000001', 0, 'hex'); at >= 0; at = segment.indexOf('000001', at + 3, 'hex')) {
    const kind = (segment[at + 3] ?? 0) & 0x1f;
    if (kind === 1 || kind === 5) kinds.push(kind);
  }
  return kinds;
}

/** What a film looks like to whom plays it: its picture and its sound. */
async function look(ts: Buffer): Promise<string> {
  const path = join(clips.folder, `look-${randomBytes(4).toString('hex')}.ts`);
  writeFileSync(path, ts);
  return (await runFfmpeg(clips.ffmpeg.path, ['-i', path])).said;
}

it('says how far it is while FFmpeg is silent, which it is until the small pictures begin, and does not take that for hanging', async () => {
  // The first segments, and then nothing said or written until somebody was told of them.
  const silent = join(clips.folder, 'ffmpeg-silent');
  const waits = 'for at in 0 1 2; do : > 360_00000$at.ts; done; until [ -e told ]; do sleep 0.02; done; rm told 360_*';
  const script = `case "$*" in *360.m3u8*) ${waits};; esac\nexec ${clips.ffmpeg.path} "$@"`;
  writeFileSync(silent, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const path = await clips.make('silent.mp4', ...film('640x360', 12, 5), ...H264);
  const folder = mkdtempSync(join(clips.folder, 'work-'));
  const percents: number[] = [];
  await transcode(
    { ffmpeg: { ...clips.ffmpeg, path: silent }, files: localFiles(join(clips.folder, 'files')), random: randomBytes },
    await probe(clips.ffmpeg, path, {}),
    {
      folder,
      stalledAfter: 15_000,
      percent: (done) => {
        percents.push(done);
        if (percents.length === 1) writeFileSync(join(folder, 'told'), '');
      },
    },
  );
  expect(percents[0]).toBe(45);
  expect(percents.at(-1)).toBe(99);
});

describe('a film of 720 lines', () => {
  let it720: Awaited<ReturnType<typeof made>>;
  beforeAll(async () => {
    it720 = await made(clips, await clips.make('lesson.mp4', ...film('1280x720', 7), ...tone(7), ...H264, '-ac', '1'));
  });

  it('becomes three qualities, each under a key of its own, each segment beginning with a key frame at the same moment', async () => {
    const { renditions, duration, kind } = it720.made;
    expect([kind, duration]).toEqual(['video', 7000]);
    expect(renditions.map(({ name, width, height }) => [name.slice(0, 4), width, height])).toEqual([
      ['360-', 640, 360],
      ['540-', 960, 540],
      ['720-', 1280, 720],
    ]);
    expect(new Set(renditions.map(({ key }) => key)).size).toBe(3);
    for (const rendition of renditions) {
      expect(rendition.key).toMatch(/^[0-9a-f]{32}$/);
      expect(rendition.codecs).toMatch(/^avc1\.(4d40|6400)[0-9a-f]{2},mp4a\.40\.2$/);
      expect(rendition.segments.map(([length]) => length)).toEqual([3000, 3000, 1000]);
      for (const segment of await it720.segments(rendition)) {
        expect(segment[0]).toBe(0x47);
        expect(frames(segment)[0]).toBe(5);
        expect(frames(segment).filter((each) => each === 5)).toHaveLength(1);
      }
      expect(rendition.bandwidth).toBeGreaterThanOrEqual(rendition.averageBandwidth);
    }
  });

  it('comes out as 8-bit 4:2:0 with stereo AAC', async () => {
    const [low] = it720.made.renditions;
    const said = low ? await look(Buffer.concat(await it720.segments(low))) : '';
    expect(said).toMatch(/Video: h264 \(Main\).*yuv420p\(tv, bt709/);
    expect(said).toMatch(/Audio: aac \(LC\).*48000 Hz, stereo/);
  });

  it('has a poster, small pictures for the seek bar, and says how far it is', () => {
    expect([it720.made.poster, it720.made.thumbnails]).toEqual([expect.any(String), expect.any(String)]);
    expect(it720.made.grid).toMatchObject({ every: 1000, count: 7, width: 160, height: 90 });
    expect(it720.percents.at(-1)).toBe(99);
    expect(it720.percents).toEqual([...it720.percents].sort((a, b) => a - b));
  });
});

describe('a film of which there is no picture to take', () => {
  it('where its picture ends before a tenth of its sound has a poster from its beginning', async () => {
    const path = await clips.make('early-end.mp4', ...film('64x36', 2, 25), ...tone(20), ...H264);
    const { made: result } = await made(clips, path);
    expect([result.poster, result.thumbnails]).toEqual([expect.any(String), expect.any(String)]);
  });

  it('near its beginning, since that is sound alone, has one of its first picture', async () => {
    const later = ['-filter_complex', '[0:v]setpts=PTS+10/TB[v]', '-map', '[v]', '-map', '1:a', '-vsync', 'vfr'];
    const path = await clips.make('sound-first.mkv', ...film('64x36', 6, 10), ...tone(16), ...later, ...H264);
    const { made: result } = await made(clips, path);
    expect(Math.abs(result.duration - 16_000)).toBeLessThan(300);
    expect(result.poster).toEqual(expect.any(String));
  });

  it('for the seek bar, since it is shorter than half a second, plays without', async () => {
    const { made: result } = await made(clips, await clips.make('blink.mp4', ...film('64x36', 0.2, 10), ...H264));
    expect(result).toMatchObject({ poster: expect.any(String), thumbnails: null, grid: null });
    expect(result.renditions).toHaveLength(1);
  });
});

it('a segment that cannot be read when it is stored fails the job, and nothing else', async () => {
  // Its list is there, and the file is not.
  const losing = join(clips.folder, 'ffmpeg-losing');
  const script = `"${clips.ffmpeg.path}" "$@"; code=$?\ncase "$*" in *.m3u8*) rm -f *_000000.ts;; esac\nexit $code`;
  writeFileSync(losing, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const path = await clips.make('lost.mp4', ...film('64x36', 1), ...H264);
  const files = localFiles(join(clips.folder, 'files'));
  const making = { folder: mkdtempSync(join(clips.folder, 'work-')), percent: () => undefined };
  await expect(
    transcode(
      { ffmpeg: { ...clips.ffmpeg, path: losing }, files, random: randomBytes },
      await probe(clips.ffmpeg, path, {}),
      making,
    ),
  ).rejects.toThrow('ENOENT');
});

it.each(['mkv', 'mp4'])('a film in %s that begins later than at 0 is whole', async (extension) => {
  const late = ['-output_ts_offset', '1.2'];
  const path = await clips.make(`late.${extension}`, ...film('64x36', 3), ...tone(3), ...H264, '-c:a', 'aac', ...late);
  const { made: result } = await made(clips, path);
  expect(Math.abs(result.duration - 3000)).toBeLessThan(300);
});

type Shape = readonly [kind: 'video' | 'audio', names: string[], size?: readonly [number, number]];
const cases: readonly (readonly [what: string, make: () => Promise<string>, shape: Shape, milliseconds: number])[] = [
  [
    'a silent screen recording',
    () => clips.make('silent.mkv', ...film('240x136', 2), ...H264),
    ['video', ['136'], [240, 136]],
    2000,
  ],
  [
    'a film that is smaller than the smallest quality, with odd sides',
    () => clips.make('odd.mkv', ...film('117x75', 2), '-c:v', 'ffv1'),
    ['video', ['74'], [116, 74]],
    2000,
  ],
  [
    'pixels that are not square',
    () => clips.make('sar.mp4', ...film('120x120', 2), ...H264, '-vf', 'setsar=4/3'),
    ['video', ['120'], [160, 120]],
    2000,
  ],
  [
    'a sound with a cover',
    async () => {
      const cover = await clips.make('cover.png', ...film('64x64', 1, 1), '-frames:v', '1');
      const args = ['-i', cover, '-map', '0', '-map', '1', '-c:v', 'copy', '-disposition:v:0', 'attached_pic'];
      return clips.make('cover.mp3', ...tone(4), ...args, '-id3v2_version', '3');
    },
    ['audio', ['audio']],
    4000,
  ],
  [
    'a sound with a cover as shops sell it',
    async () => {
      const cover = await clips.make('cover.jpg', ...film('64x64', 1, 1), '-frames:v', '1', '-pix_fmt', 'yuvj420p');
      const args = ['-i', cover, '-map', '0', '-map', '1', '-c:v', 'copy', '-disposition:v:0', 'attached_pic'];
      return clips.make('cover.m4a', ...tone(4), ...args, '-c:a', 'aac');
    },
    ['audio', ['audio']],
    4000,
  ],
  [
    'a film of high dynamic range',
    () =>
      clips.make(
        'hdr.mkv',
        ...film('96x64', 2),
        ...['-c:v', 'ffv1', '-pix_fmt', 'yuv420p10le'],
        ...['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc'],
      ),
    ['video', ['64'], [96, 64]],
    2000,
  ],
  [
    'a film of high dynamic range that says nothing else of its colours',
    () =>
      clips.make(
        'hdr-alone.mkv',
        ...film('96x64', 2),
        ...['-c:v', 'ffv1', '-pix_fmt', 'yuv420p10le', '-color_trc', 'smpte2084'],
      ),
    ['video', ['64'], [96, 64]],
    2000,
  ],
  ['a sound of six channels', () => clips.make('six.wav', ...tone(2), '-ac', '6'), ['audio', ['audio']], 2000],
  [
    'a film of 10 bits with two sounds, the second longer',
    () =>
      clips.make(
        'ten.mkv',
        ...film('96x64', 2),
        ...tone(2),
        ...tone(2),
        ...['-map', '0', '-map', '1', '-map', '2', '-c:v', 'ffv1', '-pix_fmt', 'yuv420p10le', '-c:a', 'flac'],
      ),
    ['video', ['64'], [96, 64]],
    2000,
  ],
  [
    'a film whose file does not say its length, as a browser records it',
    () => clips.make('live.mkv', ...film('96x64', 4), ...H264, '-f', 'matroska', '-live', '1'),
    ['video', ['64'], [96, 64]],
    4000,
  ],
  [
    'a film whose frames come at odd times',
    () =>
      clips.make(
        'vfr.mkv',
        ...film('96x64', 4, 25),
        ...H264,
        '-vf',
        "select='not(mod(n\\,7))+lt(n\\,20)'",
        '-vsync',
        'vfr',
      ),
    ['video', ['64'], [96, 64]],
    4000,
  ],
  [
    'a sound that goes on after its film',
    () => clips.make('longer.mkv', ...film('96x64', 2), ...tone(4), ...H264),
    ['video', ['64'], [96, 64]],
    4000,
  ],
];

it('a film whose frame rate changes all the time, as of phones, stays in step with its sound to its end', async () => {
  const [length, clap] = [300, 290];
  const during = `between(t,${clap},${clap + 0.5})`;
  const path = await clips.make(
    'clap.mkv',
    ...['-f', 'lavfi', '-i', `color=black:s=96x64:r=30:d=${length},drawbox=c=white:t=fill:enable='${during}'`],
    ...['-f', 'lavfi', '-i', `sine=f=1000:r=44100:d=${length},volume='${during}':eval=frame`],
    // 30, 15 and 10 frames a second, for 20 s each.
    '-vf',
    "select='lt(mod(t,60),20)+gte(mod(t,60),20)*lt(mod(t,60),40)*not(mod(n,2))+gte(mod(t,60),40)*not(mod(n,3))'",
    ...['-vsync', 'vfr', ...H264, '-c:a', 'aac'],
  );
  const { made: result, segments } = await made(clips, path);
  const [first] = result.renditions;
  const played = join(clips.folder, 'clap.ts');
  writeFileSync(played, Buffer.concat(first ? await segments(first) : []));
  const heard = ['-vf', 'blackdetect=d=0.05:pix_th=0.3', '-af', 'silencedetect=n=-40dB:d=0.1', '-f', 'null', '-'];
  const { said } = await runFfmpeg(clips.ffmpeg.path, ['-ss', String(clap - 5), '-copyts', '-i', played, ...heard]);
  const seen = Number(/black_end:([\d.]+)/.exec(said)?.[1]);
  const sounds = Number(/silence_end: ([\d.]+)/.exec(said)?.[1]);
  expect(Math.abs(seen - sounds)).toBeLessThan(0.08);
  expect(Math.abs(result.duration - length * 1000)).toBeLessThan(300);
}, 120_000);

describe('what people bring', () => {
  it.each(cases)('%s plays', async (_what, make, [kind, names, size], length) => {
    const { made: result, segments } = await made(clips, await make());
    expect(result.kind).toBe(kind);
    expect(result.renditions.map(({ name }) => name.split('-')[0])).toEqual(names);
    const [first] = result.renditions;
    expect([first?.width, first?.height]).toEqual(size ?? [null, null]);
    expect(Math.abs(result.duration - length)).toBeLessThan(300);
    const plain = first ? await segments(first) : [];
    const said = await look(Buffer.concat(plain));
    if (kind === 'video') expect(said).toMatch(/yuv420p\(tv, bt709/);
    if (first?.codecs.includes('mp4a')) expect(said).toMatch(/Audio: aac \(LC\).* stereo/);
  });

  it.each([
    // How the axes of the picture lie, as the file says it (ISO 14496-12, the matrix of a track).
    ['by 90 degrees', [0, 1, -1, 0], 64, 96],
    ['by 180 degrees', [-1, 0, 0, -1], 96, 64],
    ['by 270 degrees', [0, -1, 1, 0], 64, 96],
    ['over, as in a mirror', [-1, 0, 0, 1], 96, 64],
  ])('a film that a phone turned %s stands upright', async (turned, [a = 0, b = 0, c = 0, d = 0], width, height) => {
    const flat = await clips.make('flat.mp4', ...film('96x64', 1), ...H264);
    // As phones do: the picture is stored lying, and its file says so (`-metadata:s:v rotate` is gone in newer ones).
    const bytes = readFileSync(flat);
    const upright = Buffer.alloc(36);
    upright.writeInt32BE(0x10000, 0);
    upright.writeInt32BE(0x10000, 16);
    upright.writeInt32BE(0x40000000, 32);
    // The first one is of the whole file, the second of its picture.
    const matrix = bytes.indexOf(upright, bytes.indexOf(upright) + 36);
    expect(matrix).toBeGreaterThan(0);
    const lying = Buffer.alloc(36);
    for (const [at, value] of [
      [0, a],
      [4, b],
      [12, c],
      [16, d],
    ] as const)
      lying.writeInt32BE(value * 0x10000, at);
    lying.writeInt32BE(0x40000000, 32);
    lying.copy(bytes, matrix);
    const path = join(clips.folder, `turned-${turned.replaceAll(' ', '-')}.mp4`);
    writeFileSync(path, bytes);
    const { video } = await probe(clips.ffmpeg, path, {});
    expect(video).toMatchObject({ width, height });
  });
});

describe('what cannot be played ends with a sentence', () => {
  const file = (name: string, content: string | Uint8Array) => {
    const path = join(clips.folder, name);
    writeFileSync(path, content);
    return path;
  };
  const lesson = async () => readFileSync(await clips.make('whole.mp4', ...film('96x64', 3), ...tone(3), ...H264));
  const early = async () =>
    readFileSync(await clips.make('early.mp4', ...film('96x64', 6, 25), ...H264, '-movflags', '+faststart'));

  it.each<[string, () => string | Promise<string>, RegExp]>([
    ['an empty file', () => file('empty.mp4', ''), /文件是空的/],
    ['a text', () => file('text.mp4', '第一章 极限'), /不是可以识别的视频或音频文件/],
    [
      'a playlist of files of this machine',
      () => file('a.mp4', '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'),
      /不是可以识别/,
    ],
    [
      'a playlist behind a sign that a film begins with',
      () => file('b.mp4', '\0\0\0\x18ftypisom#EXTM3U\nfile:///etc/passwd'),
      /损坏|缺少索引/,
    ],
    ['a list of files', () => file('c.mp4', "ffconcat version 1.0\nfile '/etc/passwd'\n"), /不是可以识别/],
    ['a film without its index', async () => file('cut.mp4', (await lesson()).subarray(0, 3000)), /缺少索引/],
    [
      'a film that was cut off',
      async () => {
        const bytes = await early();
        return file('half.mp4', bytes.subarray(0, Math.floor(bytes.length * 0.5)));
      },
      /文件不完整：应有 6\.0 秒，只能读到/,
    ],
    [
      'noise that begins like a film',
      () => file('noise.mkv', Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), randomBytes(20_000)])),
      /损坏/,
    ],
    [
      'a few frames that say they are two days apart',
      () => clips.make('days.mkv', ...film('96x64', 1), '-vf', 'setpts=N*50000/TB', '-vsync', '0', '-c:v', 'ffv1'),
      /超过 24 小时/,
    ],
    ['a picture that is too small', () => clips.make('dot.mkv', ...film('8x8', 1), '-c:v', 'ffv1'), /画面太小/],
  ])('%s', async (_what, make, says) => {
    const path = await make();
    const error = await made(clips, path).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(JobRefused);
    expect((error as Error).message).toMatch(says);
  });
});
