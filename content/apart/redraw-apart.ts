import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Redrawn } from '#content/rich-text/picture.ts';
import { LIMITS, type Limits } from './limits.ts';
import type { AskedPicture } from './redraw-child.ts';

/** A picture of 25 million points with 16 bits a channel is 200 MB, and stands in memory twice while it is turned. */
const PICTURE_LIMITS: Limits = { ...LIMITS, memoryMB: 700, waitS: 30 };
/** Pictures that may wait: some seconds of work. */
const MOST_WAITING = 24;
/** The process ends when nobody has sent a picture for so long (milliseconds): it holds 80 MB. */
const IDLE = 60_000;

type Answer = Redrawn | 'busy';

/** Writes pictures of strangers anew. */
export interface Redrawer {
  /**
   * As `redrawn` of content/rich-text/picture.ts, but in a process of its own, which takes what it takes and falls over alone: it serves
   * while exams are saved.
   * @returns 'busy' when too many wait
   */
  redraw(asked: AskedPicture): Promise<Answer>;
  close(): void;
}

/** Makes the one that a server has: a process that is started by the first picture, and does one after the other. */
export function redrawer({ limits = PICTURE_LIMITS, idle = IDLE }: { limits?: Limits; idle?: number } = {}): Redrawer {
  let child: ChildProcess | null = null;
  let resting: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  const end = () => {
    clearTimeout(resting);
    child?.kill('SIGKILL');
    child = null;
  };
  const start = () => {
    const started = fork(join(import.meta.dirname, 'redraw-child.ts'), [JSON.stringify(limits)], {
      execArgv: [`--max-old-space-size=${limits.heapMB}`],
      // Nothing of the settings, keys among them.
      env: { MALLOC_ARENA_MAX: '1', TZ: process.env.TZ ?? '' },
      serialization: 'advanced',
      stdio: 'ignore',
    });
    started.once('exit', () => {
      if (child === started) child = null;
    });
    return started;
  };
  const one = (asked: AskedPicture) =>
    new Promise<Redrawn>((resolve) => {
      clearTimeout(resting);
      child ??= start();
      const asker = child;
      // While it works the server stays for it; a process at rest keeps nobody from ending.
      asker.ref();
      asker.channel?.ref();
      const settle = (done: Redrawn) => {
        clearTimeout(late);
        asker.removeAllListeners('message').removeListener('exit', fell).removeListener('error', fell);
        asker.unref();
        asker.channel?.unref();
        resting = setTimeout(end, idle).unref();
        resolve(done);
      };
      const fell = () => {
        if (child === asker) child = null;
        settle({ ok: false, fault: 'broken', why: '图片已损坏，无法读取' });
      };
      const late = setTimeout(() => asker.kill('SIGKILL'), limits.waitS * 1000);
      asker.once('exit', fell);
      asker.once('error', fell);
      asker.once('message', (done) => settle(done as Redrawn));
      asker.send(asked, (error) => {
        if (error) asker.kill('SIGKILL');
      });
    });
  return {
    redraw: (asked) => {
      if (waiting >= MOST_WAITING) return Promise.resolve('busy');
      waiting += 1;
      const done = last.then(() => one(asked));
      last = done.finally(() => {
        waiting -= 1;
      });
      return done;
    },
    close: end,
  };
}
