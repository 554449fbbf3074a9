import { setTimeout } from 'node:timers/promises';
import type { CommandContext } from '#server/command.ts';
import { timeNow } from '#server/db/clock.ts';
import type { Db } from '#server/db/open.ts';
import { readLastJob, type StoredJob } from '#server/job/store.ts';
import { TRANSCODE } from '#server/media/bring-in.ts';
import { findMedia, type StoredMedia } from '#server/media/store.ts';
import type { LessonMedia } from './pack-media.ts';

const LOOK_EVERY = 1000;
/** A server that runs begins within seconds (milliseconds). */
const BEGINS_WITHIN = 15_000;

interface Waiting extends Pick<CommandContext, 'say' | 'progress' | 'signal'> {
  wait: boolean;
  /** Milliseconds between two looks. */
  lookEvery?: number;
}

/**
 * Says which media of a pack have to be converted, and waits for that if it shall, until Ctrl-C: what was imported stays.
 * @returns the exit code: 1 when one of them cannot be converted
 */
export async function waitForMedia(
  db: Db,
  media: readonly LessonMedia[],
  { wait, say, progress, signal, lookEvery = LOOK_EVERY }: Waiting,
): Promise<number> {
  const waiting = new Map(media.filter(({ state }) => state === 'waiting').map((one) => [one.mediaId, one]));
  if (waiting.size === 0) return 0;
  const asked = new Set(media.flatMap(({ mediaId, asked }) => (asked ? [mediaId] : []))).size;
  say(
    `${waiting.size} 个视频或音频等待转换（本次新增 ${asked} 个任务），由运行中的服务完成；进度和失败原因见 npm run lixue -- media list`,
  );
  if (!wait) return 0;
  let failed = 0;
  let warned = false;
  while (waiting.size > 0 && !signal.aborted) {
    let percent = 0;
    let begun = false;
    for (const [mediaId, { name }] of waiting) {
      const [row, job] = [await findMedia(db.query, mediaId), await readLastJob(db.query, TRANSCODE, String(mediaId))];
      const { ended, line } = outcomeOf(name, row, job);
      if (line) {
        progress.end();
        say(line);
      }
      if (ended) waiting.delete(mediaId);
      if (ended === 'failed') failed += 1;
      begun ||= job?.state === 'running' || (job?.attempts ?? 0) > 0;
      percent += ended ? 0 : (job?.percent ?? 0);
      if (!begun && !warned && job?.state === 'waiting' && (await timeNow(db)) - job.run_at > BEGINS_WITHIN) {
        warned = true;
        say('没有正在运行的服务来转换。请启动服务，或按 Ctrl-C 不再等待：服务启动后会自己转换');
      }
    }
    if (waiting.size === 0) break;
    progress.show(`转换（还有 ${waiting.size} 个）`, Math.floor(percent / waiting.size), 100, '%');
    await setTimeout(lookEvery, undefined, { signal }).catch(() => undefined);
  }
  progress.end();
  if (signal.aborted) say('不再等待。已导入的内容都在，转换由服务继续');
  return failed > 0 ? 1 : 0;
}

function outcomeOf(
  name: string,
  row: StoredMedia | null,
  job: StoredJob | null,
): { ended: 'ready' | 'failed' | null; line: string } {
  if (row?.state === 'ready') return { ended: 'ready', line: `“${name}”可以播放了` };
  if (row === null || row.state === 'failed')
    return { ended: 'failed', line: `“${name}”不能播放：${row?.reason || job?.reason || '已被删除'}` };
  return { ended: null, line: '' };
}
