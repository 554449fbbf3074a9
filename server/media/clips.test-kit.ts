import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ffmpeg, findFfmpeg, runFfmpeg } from './ffmpeg.ts';

/** Makes short clips with FFmpeg itself: nothing of others is kept in the repository. */
export interface Clips {
  ffmpeg: Ffmpeg;
  folder: string;
  /** Makes a clip; @returns its path */
  make(name: string, ...args: string[]): Promise<string>;
  remove(): void;
}

/** A film of coloured bars with a number that counts, as an input of FFmpeg. */
export const film = (size: string, seconds: number, rate = 5) => [
  ...['-f', 'lavfi', '-i', `testsrc=s=${size}:r=${rate}:d=${seconds}`],
];
/** A tone, as an input of FFmpeg. */
export const tone = (seconds: number) => ['-f', 'lavfi', '-i', `sine=frequency=440:d=${seconds}`];
export const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

/** Finds the FFmpeg of this machine, which every test of media needs. */
export async function clipMaker(): Promise<Clips> {
  const ffmpeg = await findFfmpeg(null);
  if (!ffmpeg) throw new Error('no FFmpeg on this machine: apt install ffmpeg, or npm install without --omit=optional');
  const folder = mkdtempSync(join(tmpdir(), 'lixue-clips-'));
  return {
    ffmpeg,
    folder,
    make: async (name, ...args) => {
      const path = join(folder, name);
      const { code, said } = await runFfmpeg(ffmpeg.path, ['-loglevel', 'error', '-y', ...args, path]);
      if (code !== 0) throw new Error(`no clip ${name}: ${said}`);
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
