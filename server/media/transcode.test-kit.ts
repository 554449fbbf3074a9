import { createDecipheriv, randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { localFiles } from '#server/files.ts';
import type { Clips } from './clips.test-kit.ts';
import { type Ffmpeg, type RunOptions, runFfmpeg } from './ffmpeg.ts';
import { probe, type Source } from './probe.ts';
import { type Made, type MadeRendition, transcode } from './transcode.ts';

/** Converts a film as the job does. @param run how the run is bounded; able: what its FFmpeg is and can, else the one of this machine */
export async function made(
  clips: Clips,
  path: string,
  run: RunOptions = {},
  able: Partial<Ffmpeg> = {},
): Promise<{ source: Source; made: Made; percents: number[]; segments(of: MadeRendition): Promise<Buffer[]> }> {
  const files = localFiles(join(clips.folder, 'files'));
  const ffmpeg = { ...clips.ffmpeg, ...able };
  const source = await probe(ffmpeg, path, {});
  const percents: number[] = [];
  const making = {
    folder: mkdtempSync(join(clips.folder, 'work-')),
    percent: (done: number) => void percents.push(done),
    ...run,
  };
  const result = await transcode({ ffmpeg, files, random: randomBytes }, source, making);
  const segments = async ({ file, key, segments: all }: MadeRendition) => {
    const found = await files.find(file);
    if (!found) throw new Error('not stored');
    const bytes = await buffer(await found.read());
    let from = 0;
    return all.map(([, length], at) => {
      const vector = Buffer.alloc(16);
      vector.writeUInt32BE(at, 12);
      const decipher = createDecipheriv('aes-128-cbc', Buffer.from(key, 'hex'), vector);
      const plain = Buffer.concat([decipher.update(bytes.subarray(from, from + length)), decipher.final()]);
      from += length;
      return plain;
    });
  };
  return { source, made: result, percents, segments };
}

/** How many packets of sound a segment holds. */
export async function packetsOfSound(clips: Clips, ts: Buffer): Promise<number> {
  const path = join(clips.folder, `sound-${randomBytes(4).toString('hex')}.ts`);
  writeFileSync(path, ts);
  const args = ['-loglevel', 'error', '-i', path, '-map', '0:a', '-c', 'copy', '-f', 'framecrc', '-'];
  const list: Buffer[] = [];
  await runFfmpeg(clips.ffmpeg.path, args, { hear: (piece) => void list.push(piece) });
  return Buffer.concat(list)
    .toString()
    .split('\n')
    .filter((line) => /^\d/.test(line)).length;
}
