import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type JobKind, JobRefused, JobWaits } from '#server/job/worker.ts';
import type { Parts } from '#server/parts.ts';
import { TRANSCODE, type TranscodeInput } from './bring-in.ts';
import { type Ffmpeg, FfmpegSilent, findFfmpeg } from './ffmpeg.ts';
import type { LessonsOfMedia } from './lessons-of-media.ts';
import { probe } from './probe.ts';
import { findMedia, markFailed, saveMade } from './store.ts';
import { transcode } from './transcode.ts';

/** What is told where there is no FFmpeg. */
export const NO_FFMPEG =
  '服务器上没有可用的 FFmpeg，不能转换视频和音频。请管理员安装（例如 apt install ffmpeg）或设置 FFMPEG_PATH，然后重试';
/** Free bytes that are needed, times the size of the source. */
const ROOM = 3;
const GB = 1024 ** 3;

/** How long an FFmpeg that was found is believed to be there (milliseconds). */
const FOUND_FOR = 60 * 60_000;
/** How long none is looked for where there was none (milliseconds): students ask too, many at once, and each look starts processes. */
const MISSED_FOR = 5000;

/** Looks for the FFmpeg of this machine; null: there is none. Throws FfmpegSilent where one may be there and did not answer. */
export type FindFfmpeg = () => Promise<Ffmpeg | null>;

/** Remembers the FFmpeg of this machine. Whoever asks while it is looked for waits for the same look. */
export function ffmpegFinder(setting: string | null): FindFfmpeg {
  let found: Ffmpeg | null = null;
  let silent: FfmpegSilent | null = null;
  let until = 0;
  let looking: Promise<void> | null = null;
  async function look(): Promise<void> {
    try {
      found = await findFfmpeg(setting);
      silent = null;
    } catch (error) {
      if (!(error instanceof FfmpegSilent)) throw error;
      // The one that answered an hour ago is the best that is known.
      silent = found ? null : error;
    } finally {
      until = performance.now() + (found ? FOUND_FOR : MISSED_FOR);
      looking = null;
    }
  }
  return async () => {
    if (performance.now() >= until) {
      looking ??= look();
      await looking;
    }
    if (silent) throw silent;
    return found;
  };
}

interface Options {
  /** As of `RunOptions`. */
  stalledAfter?: number;
}

/**
 * The job that makes a source playable. It works in a folder of its own, and all it stores is named in the transaction that
 * ends it: a killed one leaves nothing that anybody plays.
 */
export function transcodeJob(
  { db, files, random, workFolder, clock }: Parts,
  ffmpegOfMachine: FindFfmpeg,
  lessons: Pick<LessonsOfMedia, 'ready'>,
  options: Options = {},
): JobKind<TranscodeInput> {
  return {
    kind: TRANSCODE,
    mostAttempts: 3,
    run: async ({ mediaId }, job) => {
      const media = await findMedia(db.query, mediaId);
      if (!media) throw new JobRefused('这个视频已被删除');
      const ffmpeg = await ffmpegOfMachine();
      if (!ffmpeg) throw new JobRefused(NO_FFMPEG);
      const file = await files.find(media.source);
      if (!file) throw new JobRefused('原文件不见了，请重新上传');
      await mkdir(workFolder, { recursive: true });
      // What a killed one left of the same video: of one video one runs at a time.
      const mine = `media-${mediaId}-`;
      for (const left of await readdir(workFolder))
        if (left.startsWith(mine)) await rm(join(workFolder, left), { recursive: true, force: true });
      const { bavail, bsize } = await statfs(workFolder);
      if (bavail * bsize < file.size * ROOM) {
        const needed = ((file.size * ROOM) / GB).toFixed(1);
        throw new JobWaits(`服务器磁盘空间不足：转换这个文件需要 ${needed} GB 空闲，请管理员清理`);
      }
      const folder = join(workFolder, `${mine}${job.fence}`);
      try {
        await mkdir(folder);
        let { path } = file;
        if (path === undefined) {
          path = join(folder, 'source');
          await pipeline(await file.read(), createWriteStream(path), { signal: job.signal });
        }
        const run = { signal: job.signal, ...options };
        const source = await probe(ffmpeg, path, run);
        const made = await transcode({ ffmpeg, files, random }, source, { ...run, folder, percent: job.percent });
        return async (trx) => {
          if (await saveMade(trx, mediaId, made, clock())) await lessons.ready(trx, { mediaId, ...made });
        };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    givenUp: (trx, { mediaId }, reason) => markFailed(trx, mediaId, reason),
  };
}
