import { realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Command, Refused, readArgs } from '#server/command.ts';
import { timeNow } from '#server/db/clock.ts';
import { readLastJob, type StoredJob } from '#server/job/store.ts';
import { JobRefused } from '#server/job/worker.ts';
import { askForTranscode, bringIn, TRANSCODE } from './bring-in.ts';
import { FfmpegSilent, findFfmpeg } from './ffmpeg.ts';
import { findMedia, readMedia, type StoredMedia } from './store.ts';
import { NO_FFMPEG } from './transcode-job.ts';

const LISTED = 50;

const lengthOf = (milliseconds: number) => {
  const seconds = Math.floor(milliseconds / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
};

function stateOf(media: StoredMedia, job: Pick<StoredJob, 'state' | 'percent'> | null): string {
  if (media.state === 'failed') return `失败：${media.reason}`;
  if (media.state === 'waiting') return job?.state === 'running' ? `转换中 ${job.percent ?? 0}%` : '等待转换';
  const kind = media.kind === 'audio' ? '音频' : '视频';
  return `可以播放  ${kind} ${lengthOf(media.duration_ms ?? 0)}${media.reason ? `（重新转换失败：${media.reason}）` : ''}`;
}

/** The commands that bring in videos and sounds. */
export function mediaCommands(env: NodeJS.ProcessEnv): readonly Command[] {
  const bring: Command = {
    name: 'media import',
    usage: '<视频或音频文件> [--title <名称>]',
    says: '上传一个视频或音频文件，由服务转换成可以播放的格式；同一个文件只转换一次',
    run: async (args, context) => {
      const { words, options } = readArgs(args, 1, { title: 'text' });
      const path = words[0] ?? '';
      const found = await stat(path).catch(() => null);
      if (!found?.isFile()) throw new Refused(`打不开文件：${path}`);
      const db = await context.openDb();
      const progress = (done: number) =>
        context.progress.show('上传', Math.round(done / 1e6), Math.round(found.size / 1e6), 'MB');
      const media = await bringIn(
        { db, files: context.files },
        { path: await realpath(path), title: options.title ?? basename(path), progress },
        await timeNow(db),
      ).catch((error: unknown) => {
        throw error instanceof JobRefused ? new Refused(error.message) : error;
      });
      context.progress.end();
      if (media.state === 'ready') context.say(`这个文件已经在了，编号 ${media.id}，可以播放`);
      else context.say(`已收到，编号 ${media.id}。运行中的服务会转换它，进度见 npm run lixue -- media list`);
      if (media.state === 'ready') return 0;
      try {
        if (!(await findFfmpeg(env.FFMPEG_PATH?.trim() || null))) context.say(`注意：${NO_FFMPEG}`);
      } catch (error) {
        if (!(error instanceof FfmpegSilent)) throw error;
        context.say(`注意：${error.message}，转换可能要等待`);
      }
      return 0;
    },
  };
  const list: Command = {
    name: 'media list',
    usage: '',
    says: `列出最近的 ${LISTED} 个视频和音频，以及转换到了哪里`,
    run: async (args, context) => {
      readArgs(args, 0, {});
      const { query } = await context.openDb();
      const all = await readMedia(query, LISTED);
      if (all.length === 0) context.say('还没有视频或音频。上传：npm run lixue -- media import <文件>');
      for (const media of all) {
        const job = media.state === 'waiting' ? await readLastJob(query, TRANSCODE, String(media.id)) : null;
        const trouble = job?.state === 'waiting' && job.reason ? `（上次没有成功：${job.reason}，稍后重试）` : '';
        context.say(`${media.id}  ${media.title}  ${stateOf(media, job)}${trouble}`);
      }
      return 0;
    },
  };
  const retry: Command = {
    name: 'media retry',
    usage: '<编号>',
    says: '重新转换一个视频或音频；已经可以播放的，转换期间照常播放',
    run: async (args, context) => {
      const { words } = readArgs(args, 1, {});
      const id = /^\d{1,15}$/.test(words[0] ?? '') ? Number(words[0]) : 0;
      const db = await context.openDb();
      const media = await findMedia(db.query, id);
      if (!media) throw new Refused(`没有编号为“${words[0]}”的视频或音频`);
      const now = await timeNow(db);
      await db.transaction((trx) => askForTranscode(trx, id, now));
      context.say(`“${media.title}”将重新转换，进度见 npm run lixue -- media list`);
      return 0;
    },
  };
  return [bring, list, retry];
}
