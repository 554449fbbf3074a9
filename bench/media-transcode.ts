import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { thumbnailGrid } from '#rules/media/ladder.ts';
import { localFiles } from '#server/files.ts';
import { findFfmpeg, runFfmpeg } from '#server/media/ffmpeg.ts';
import { probe } from '#server/media/probe.ts';
import { argumentsOf, rungsOf, transcode } from '#server/media/transcode.ts';
import { report } from './measure.ts';

/** How long a film takes from its file to what plays, as times of one plain run of FFmpeg with the same settings. */
const SECONDS = 6;

const ffmpeg = await findFfmpeg(null);
if (!ffmpeg) throw new Error('no FFmpeg');
const folder = mkdtempSync(join(tmpdir(), 'lixue-bench-transcode-'));
const path = join(folder, 'film.mp4');
const film = ['-f', 'lavfi', '-i', `testsrc2=s=1280x720:r=30:d=${SECONDS}`, '-f', 'lavfi', '-i', `sine=d=${SECONDS}`];
await runFfmpeg(ffmpeg.path, [...film, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', path]);
const source = await probe(ffmpeg, path, {});
const plain = join(folder, 'plain');
mkdirSync(plain);
const grid = source.video && thumbnailGrid(source.video, SECONDS * 1000);

let began = performance.now();
const { code, said } = await runFfmpeg(
  ffmpeg.path,
  argumentsOf(ffmpeg, source, rungsOf(source), { grid, stands: 0, inStep: [] }),
  {
    folder: plain,
  },
);
const alone = performance.now() - began;
if (code !== 0) throw new Error(said);
began = performance.now();
const again = await probe(ffmpeg, path, {});
const files = localFiles(join(folder, 'files'));
await transcode({ ffmpeg, files, random: randomBytes }, again, {
  folder: join(folder, 'work'),
  percent: () => undefined,
});
const whole = performance.now() - began;
rmSync(folder, { recursive: true, force: true });
report({
  name: 'media_transcode',
  value: whole / alone,
  unit: '× plain FFmpeg',
  detail: `${((SECONDS * 1000) / whole).toFixed(2)} × the film's length, three qualities of a 720p film`,
});
