import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { basename, join } from 'node:path';
import { FileRefused } from '#content/sheet/sheet.ts';
import { LIMITS, type Limits } from './limits.ts';
import type { Message, ReadApart } from './message.ts';

/** A file took more to read than a file may; the message is a sentence in Chinese without the file's name. */
export class TookTooMuch extends FileRefused {
  /** Which file of several was being read; '' before the first. */
  readonly file: string;
  constructor(file: string, why: string) {
    super(why);
    this.file = file;
  }
}

/** The last that the process wrote before it ended (characters). */
const KEPT_WORDS = 4000;

/** The sentence for a process that ended before it had said how; null: it is a fault of the program. */
function whyEnded({ signalCode }: ChildProcess, limits: Limits): string | null {
  switch (signalCode) {
    // From the watchdog, from a system that has no memory left, and from a full heap.
    case 'SIGKILL':
    case 'SIGABRT':
    case 'SIGTRAP':
      return `解开后太大，读取时用的内存超过了 ${limits.memoryMB} MB 的上限，请拆成几个文件`;
    case 'SIGALRM':
      return `内容过于复杂，读取超过了 ${limits.workS} 秒的上限，请拆成几个文件`;
    // A library for pictures that falls over.
    case 'SIGSEGV':
    case 'SIGBUS':
    case 'SIGILL':
    case 'SIGFPE':
      return '文件已损坏，无法读取';
    default:
      return null;
  }
}

/**
 * Reads a file of a stranger in a process of its own with bounds of memory and time, and ends that process
 * when nobody reads on. What the reader throws is thrown here.
 * @param notes receives sentences that are no mistakes but worth saying
 * @throws FileRefused with a Chinese sentence when the file cannot be read; TookTooMuch when a bound was reached
 */
export async function* readApart<K extends keyof ReadApart>(
  what: K,
  path: string,
  notes: string[],
  limits: Limits = LIMITS,
): AsyncGenerator<ReadApart[K]> {
  const child = fork(join(import.meta.dirname, 'child.ts'), [what, path, JSON.stringify(limits)], {
    // A small young generation: garbage of rows is collected while it is still small.
    execArgv: [`--max-old-space-size=${limits.heapMB}`, '--max-semi-space-size=8'],
    // Nothing of the settings, keys among them. One arena, or the allocator keeps much that nobody uses.
    env: { MALLOC_ARENA_MAX: '1', TZ: process.env.TZ ?? '' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let words = '';
  child.stderr?.on('data', (text) => {
    words = (words + String(text)).slice(-KEPT_WORDS);
  });
  let file = '';
  let waited = false;
  const giveUp = () => {
    waited = true;
    child.kill('SIGKILL');
  };
  let waiting = setTimeout(giveUp, limits.waitS * 1000);
  try {
    for await (const [message] of on(child, 'message', { close: ['close'] }) as AsyncIterable<[Message]>) {
      clearTimeout(waiting);
      switch (message.says) {
        case 'at':
          file = message.file;
          break;
        case 'results':
          notes.push(...message.notes);
          yield* message.results as ReadApart[K][];
          break;
        case 'refused':
          throw new FileRefused(message.why);
        case 'failed':
          throw Object.assign(new Error(message.message), message.code === undefined ? {} : { code: message.code });
        case 'end':
          return;
      }
      waiting = setTimeout(giveUp, limits.waitS * 1000);
      // A process that has ended since is told nothing; that it ended is heard next.
      if (child.connected) child.send('more', () => undefined);
    }
    const why = waited ? `等了 ${limits.waitS} 秒读不到内容` : whyEnded(child, limits);
    if (why === null) throw new Error(`the reading process ended (${child.exitCode ?? child.signalCode}): ${words}`);
    throw new TookTooMuch(file || basename(path), why);
  } finally {
    clearTimeout(waiting);
    child.kill('SIGKILL');
    // Whoever goes on finds its memory free.
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}
