import type { JobState } from '#contract/values/job.ts';
import { type Command, Refused, readArgs } from '#server/command.ts';
import { timeNow } from '#server/db/clock.ts';
import { cancelJob, readJobs, type StoredJob } from './store.ts';

const LISTED = 50;
const STATES: Record<JobState, string> = {
  waiting: '等待',
  running: '进行中',
  done: '完成',
  failed: '失败',
  cancelled: '已取消',
};

function lineOf({ id, kind, key, state, percent, attempts, reason, cancel }: StoredJob): string {
  const far = state === 'running' && percent !== null ? ` ${percent}%` : '';
  const again = state === 'waiting' && attempts > 0 ? `（第 ${attempts} 次没有成功，稍后重试）` : '';
  const ending = cancel === 1 && (state === 'waiting' || state === 'running') ? '（取消中）' : '';
  return `${id}  ${kind} ${key}  ${STATES[state]}${far}${again}${ending}${reason ? `：${reason}` : ''}`;
}

const list: Command = {
  name: 'jobs list',
  usage: '',
  says: `列出进行中、等待和最近结束的任务，最多 ${LISTED} 个`,
  run: async (args, context) => {
    readArgs(args, 0, {});
    const { query } = await context.openDb();
    const jobs = await readJobs(query, LISTED);
    if (jobs.length === 0) context.say('没有任务');
    for (const job of jobs) context.say(lineOf(job));
    return 0;
  },
};

const cancel: Command = {
  name: 'jobs cancel',
  usage: '<编号>',
  says: '取消一个还没有结束的任务',
  run: async (args, context) => {
    const { words } = readArgs(args, 1, {});
    const id = /^\d{1,15}$/.test(words[0] ?? '') ? Number(words[0]) : 0;
    const db = await context.openDb();
    if (!(await cancelJob(db.query, id, await timeNow(db))))
      throw new Refused(`没有编号为“${words[0]}”、还没有结束的任务`);
    context.say('已要求取消，运行中的服务几秒内会停下它');
    return 0;
  },
};

/** The commands that look at jobs. */
export const jobCommands: readonly Command[] = [list, cancel];
