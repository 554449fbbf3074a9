import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFfmpeg, runFfmpeg } from '#server/media/ffmpeg.ts';

const run = promisify(execFile);

/** A short film as the product streams one: encrypted segments of 2 s in three qualities, made here by the FFmpeg that the product would use. @returns its folder */
export async function makeFilm(seconds: number): Promise<string> {
  const ffmpeg = await findFfmpeg(process.env.FFMPEG_PATH || null);
  if (ffmpeg === null) throw new Error('no FFmpeg on this machine, not even the one that npm brings');
  const folder = mkdtempSync(join(tmpdir(), 'film-'));
  const key = Buffer.from('0123456789abcdef');
  writeFileSync(join(folder, 'key'), key);
  writeFileSync(join(folder, 'key-info'), `key\n${join(folder, 'key')}\n`);
  const qualities = [
    { height: 360, width: 640, bandwidth: 600_000 },
    { height: 540, width: 960, bandwidth: 1_000_000 },
    { height: 720, width: 1280, bandwidth: 1_800_000 },
  ];
  for (const { height, width } of qualities) {
    const place = join(folder, String(height));
    mkdirSync(place);
    await run(ffmpeg.path, [
      ...['-v', 'error', '-f', 'lavfi', '-i', `testsrc=s=${width}x${height}:r=25:d=${seconds}`],
      ...['-f', 'lavfi', '-i', `sine=f=440:d=${seconds}`, '-c:v', 'libx264', '-preset', 'ultrafast'],
      ...['-pix_fmt', 'yuv420p', '-force_key_frames', 'expr:gte(t,n_forced*2)', '-c:a', 'aac', '-ac', '2'],
      ...['-f', 'hls', '-hls_time', '2', '-hls_list_size', '0', '-hls_playlist_type', 'vod'],
      ...['-hls_key_info_file', join(folder, 'key-info'), '-hls_segment_filename', join(place, '%d.ts')],
      join(place, 'list.m3u8'),
    ]);
  }
  const master = qualities.map(
    ({ height, width, bandwidth }) =>
      `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},RESOLUTION=${width}x${height},CODECS="avc1.64001f,mp4a.40.2"\n${height}/list.m3u8`,
  );
  writeFileSync(join(folder, 'master.m3u8'), `#EXTM3U\n#EXT-X-VERSION:3\n${master.join('\n')}\n`);
  return folder;
}

/** A film as a camera writes one, padded with what no decoder reads to `bytes`, so that its upload takes a while. @returns its bytes */
export async function makeSourceFilm(seconds: number, bytes: number): Promise<Buffer> {
  const ffmpeg = await findFfmpeg(null);
  if (!ffmpeg) throw new Error('no FFmpeg on this machine');
  const folder = mkdtempSync(join(tmpdir(), 'source-'));
  const path = join(folder, 'film.mp4');
  const { code, said } = await runFfmpeg(ffmpeg.path, [
    ...['-loglevel', 'error', '-y', '-f', 'lavfi', '-i', `testsrc=s=320x180:r=10:d=${seconds}`],
    ...['-f', 'lavfi', '-i', `sine=frequency=440:d=${seconds}`, '-shortest'],
    // Each film is another one: the same bytes would be the same media.
    ...['-metadata', `comment=${randomUUID()}`],
    ...[
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'aac',
      '-movflags',
      '+faststart',
      path,
    ],
  ]);
  if (code !== 0) throw new Error(`no film: ${said}`);
  const film = readFileSync(path);
  rmSync(folder, { recursive: true });
  const free = Buffer.alloc(Math.max(8, bytes - film.length));
  free.writeUInt32BE(free.length, 0);
  free.write('free', 4);
  return Buffer.concat([film, free]);
}
