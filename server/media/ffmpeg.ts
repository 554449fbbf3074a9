import { type ChildProcessWithoutNullStreams, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import { CORES_EACH, JobWaits } from '#server/job/worker.ts';

/** An FFmpeg that can make what is needed. */
export interface Ffmpeg {
  path: string;
  version: string;
  /** Who brought it: FFMPEG_PATH, the PATH, or the npm package, which is a build of 2018. */
  from: 'setting' | 'path' | 'package';
  /** Can turn the colours of HDR into those of every screen. */
  toneMaps: boolean;
  /** Can hold the last picture while the sound goes on. */
  holds: boolean;
  /**
   * Options that keep it from taking the length of a picture that stood, which each copy of it has, for a gap behind each: none since
   * version 5.1. Without need they are not given: a film whose picture begins late would begin with none.
   */
  evenFrames: readonly string[];
}

/** What runs once before FFmpeg itself does. */
const START = `ulimit -v "$1" 2>/dev/null; ulimit -f "$2" 2>/dev/null; shift 2
exec 3<&0
nice -n 15 "$@" </dev/null &
child=$!
{ read -r _ <&3; kill -KILL $child; } 2>/dev/null &
watch=$!
exec 3<&-
wait $child
code=$?
kill -KILL $watch
exit $code`;

/** Address space of one run, in KB: a picture of 8192 × 8192 in three qualities stays below. */
const MEMORY_KB = 6 * 1024 * 1024;
/** What one file may have: a segment has a few MB. */
const LARGEST_FILE = 512 * 1024 * 1024;
/** The unit in which a shell counts that (bytes). */
const FILE_BLOCK = 512;
/** What is kept of the beginning, and again of the end, of what it says: many attached files or a long comment stand between. */
const SAID = 16_000;
/** What is kept of what it writes to stdout (bytes): its list of filters has some 40 thousand, in pieces of any size. */
const OUT = 256 * 1024;
const STALLED_AFTER = 5 * 60_000;
/** How long a whole run may take, however slow: a day. */
const LONGEST = 24 * 60 * 60_000;

export interface RunOptions {
  signal?: AbortSignal;
  /** Milliseconds without any progress after which it hangs. */
  stalledAfter?: number;
  /** Milliseconds for the whole run. */
  longest?: number;
  /** Told how far its output is (milliseconds of film). */
  progress?(outTime: number): void;
  /**
   * Looks how far its output is (milliseconds of film), once a second: FFmpeg itself says nothing before each of its outputs has begun,
   * and one that is drawn of the whole film begins at its end.
   */
  reached?(): Promise<number>;
  /** The folder it works in. */
  folder?: string;
  memoryKb?: number;
  /** Bytes that one file of it may have. */
  largestFile?: number;
  /** Told what it writes to stdout, as it comes; it counts as progress. */
  hear?(piece: Buffer): void;
  /** Given where to write what it reads from `pipe:4`, in the moment in which it is started. */
  feed?(input: Writable): void;
}

export interface RunResult {
  /** Its exit code; null: it was ended. */
  code: number | null;
  /** Why it was ended; `killed`: by somebody else, as by a system without memory. */
  ended: 'aborted' | 'stalled' | 'tooLong' | 'killed' | null;
  /** What it wrote to stderr; of much, the beginning and the end. */
  said: string;
  /** The beginning of what it wrote to stdout, where progress is not read from there. */
  out: Buffer;
  /** How far its output came (milliseconds of film). */
  outTime: number;
}

/** The exit codes of a shell whose child SIGKILL or SIGTERM ended. */
const KILLED: readonly (number | null)[] = [137, 143];
/** FFmpeg's own exit code after a signal, of which it says nothing among errors. */
const SIGNALLED = 255;
/** @param code null: the shell itself was ended by a signal */
const isKilled = (code: number | null, said: string) =>
  code === null || KILLED.includes(code) || (code === SIGNALLED && said === '');

const timeOf = (text: string) => {
  const [, hours = '', minutes = '', seconds = ''] = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(text) ?? [];
  return hours === '' ? null : Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000);
};

/**
 * Runs FFmpeg as a child of its own: nicer than everybody else, with bounds for memory and for the files it writes, without
 * our environment, and with a clock of our own, since it has none. It dies with this process, however that ends: a shell in
 * between kills it when the pipe to us closes (incidents: PeerTube#6950, children that outlived their server).
 */
export async function runFfmpeg(path: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { signal, stalledAfter = STALLED_AFTER, longest = LONGEST, progress, folder, memoryKb = MEMORY_KB } = options;
  const { hear, feed, reached, largestFile = LARGEST_FILE } = options;
  signal?.throwIfAborted();
  const reports = progress ? ['-progress', 'pipe:1', '-nostats'] : [];
  const all = ['-hide_banner', '-nostdin', ...reports, ...args];
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', MALLOC_ARENA_MAX: '2', HOME: folder ?? '/' };
  // The third is the shell's own way to us.
  const stdio: StdioOptions = ['pipe', 'pipe', 'pipe', 'ignore', feed ? 'pipe' : 'ignore'];
  const blocks = String(Math.ceil(largestFile / FILE_BLOCK));
  const [program, words] =
    process.platform === 'win32'
      ? [path, all]
      : ['/bin/sh', ['-c', START, 'sh', String(memoryKb), blocks, path, ...all]];
  const child = spawn(program, words, { env, cwd: folder, stdio }) as ChildProcessWithoutNullStreams;
  // Where no more files may be open it has no pipes at all, and an error that nobody hears would end the server.
  if (!child.stdin) throw (await once(child, 'error'))[0];
  const input = child.stdio[4];
  if (feed && input) {
    // Whoever reads it may be gone before it is told.
    input.on('error', () => undefined);
    feed(input as Writable);
  }
  let ended: RunResult['ended'] = null;
  let [first, last, length] = ['', '', 0];
  let outTime = 0;
  let lastSeen = '';
  let lastMoved = performance.now();
  const out: Buffer[] = [];
  let heard = 0;
  const end = (why: NonNullable<RunResult['ended']>) => {
    ended ??= why;
    // The shell's watch kills it; the shell itself is ended where even that hangs.
    child.stdin.destroy();
    setTimeout(() => child.kill('SIGKILL'), 2000).unref();
    if (process.platform === 'win32') child.kill();
  };
  const moved = (time: number) => {
    if (time <= outTime) return;
    outTime = time;
    lastMoved = performance.now();
    progress?.(time);
  };
  let looking = false;
  const look = async () => {
    if (looking || reached === undefined) return;
    looking = true;
    // What cannot be looked at has not moved.
    const time = await reached().catch(() => 0);
    looking = false;
    // Over meanwhile: nobody is told any more.
    if (child.exitCode === null && child.signalCode === null) moved(time);
  };
  const abort = () => end('aborted');
  signal?.addEventListener('abort', abort, { once: true });
  const began = performance.now();
  const clock = setInterval(
    () => {
      void look();
      if (performance.now() - lastMoved > stalledAfter) end('stalled');
      else if (performance.now() - began > longest) end('tooLong');
    },
    Math.min(1000, stalledAfter / 4),
  );
  child.stdin.on('error', () => undefined);
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    const room = SAID - first.length;
    first += piece.slice(0, room);
    last = (last + piece.slice(room)).slice(-SAID);
    length += piece.length;
    if (!progress) lastMoved = performance.now();
  });
  let rest = '';
  child.stdout.on('data', (piece: Buffer) => {
    if (!progress) {
      lastMoved = performance.now();
      if (hear) hear(piece);
      else if (heard < OUT) out.push(piece);
      heard += piece.length;
      return;
    }
    const lines = (rest + piece.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    // It reports twice a second also when nothing moves.
    const seen = lines.filter((line) => /^(?:frame|out_time|total_size)=/.test(line)).join();
    if (seen !== '' && seen !== lastSeen) lastMoved = performance.now();
    lastSeen = seen || lastSeen;
    for (const line of lines) {
      const time = line.startsWith('out_time=') ? timeOf(line.slice(9).trim()) : null;
      if (time !== null) moved(time);
    }
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve(exit));
  }).finally(() => {
    clearInterval(clock);
    signal?.removeEventListener('abort', abort);
    child.stdin.destroy();
  });
  const said = first + (length > 2 * SAID ? '\n' : '') + last;
  if (isKilled(code, said)) ended ??= 'killed';
  return { code: ended ? null : code, ended, said, out: Buffer.concat(out), outTime };
}

/** The binary of the npm package for this machine; null: there is none. */
export function packaged(): string | null {
  const name = `@ffmpeg-installer/${process.platform}-${process.arch}`;
  try {
    const there = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return there.replace(/package\.json$/, process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg');
  } catch {
    return null;
  }
}

/** How long it may take to say what it can (milliseconds): on a machine with much else to do it is the last to get a turn. */
const SAYS_WITHIN = 60_000;

/** An FFmpeg that did not come to its answer, as on a machine without memory or time: that says nothing of what it can. */
export class FfmpegSilent extends JobWaits {
  constructor() {
    super('服务器太忙，FFmpeg 没有回答');
  }
}

/**
 * Runs FFmpeg for a job. One that this machine could not start now, by its error or its shell's, says nothing of the file.
 * @throws FfmpegSilent
 */
export async function startFfmpeg(path: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  const result = await runFfmpeg(path, args, options).catch((error: unknown) => {
    throw NO_PROCESS.test(String((error as NodeJS.ErrnoException).code)) ? new FfmpegSilent() : error;
  });
  if (result.code !== 0 && NO_FORK.test(result.said)) throw new FfmpegSilent();
  return result;
}

/** What a shell says that cannot start one more process. */
const NO_FORK = /cannot fork/i;
/** What a system says that cannot start one more process, in an error or by its shell. */
const NO_PROCESS = /EAGAIN|EMFILE|ENFILE|ENOMEM|cannot fork|resource temporarily unavailable/i;

/**
 * Looks at one FFmpeg. @returns null when it does not run, or lacks an encoder that is needed
 * @throws FfmpegSilent when it was killed, did not answer in time, or could not be started on this machine now
 */
async function examine(path: string, from: Ffmpeg['from']): Promise<Ffmpeg | null> {
  const ask = (...words: string[]) =>
    runFfmpeg(path, words, { longest: SAYS_WITHIN }).catch((error: unknown) => ({
      ...{ code: 1, ended: null, out: Buffer.alloc(0) },
      said: String((error as NodeJS.ErrnoException).code),
    }));
  const answers = await Promise.all([ask('-version'), ask('-encoders'), ask('-filters'), ask('-h', 'long')]);
  const [version, encoders, filters, options] = answers;
  if (answers.some(({ code, ended, said }) => ended || (code !== 0 && NO_PROCESS.test(said)))) throw new FfmpegSilent();
  const found = /version (\S+)/.exec(version.out.toString());
  const list = encoders.out.toString();
  if (version.code !== 0 || !found || !/ libx264 /.test(list) || !/ aac /.test(list)) return null;
  const filterList = filters.out.toString();
  const toneMaps = / zscale /.test(filterList) && / tonemap /.test(filterList);
  const holds = / tpad /.test(filterList);
  const evenFrames = /^-fps_mode\b/m.test(options.out.toString()) ? [] : ['-vsync', 'vfr'];
  return { path, version: found[1] ?? '', from, toneMaps, holds, evenFrames };
}

/**
 * Finds the FFmpeg of this machine: the one that the operator names, the one on PATH, the one of the npm package. One that is
 * named and does not work is no reason to take another: the operator meant it.
 * @throws FfmpegSilent when one that may be there did not answer
 */
export async function findFfmpeg(setting: string | null): Promise<Ffmpeg | null> {
  if (setting !== null) return examine(setting, 'setting');
  const onPath = await examine('ffmpeg', 'path');
  if (onPath) return onPath;
  const path = packaged();
  return path === null ? null : examine(path, 'package');
}

/** What every run is told first: how it may read, and how many cores it may use. */
export const bounded = (demuxer: string, path: string) => [
  ...['-loglevel', 'error', '-threads', String(CORES_EACH)],
  ...['-protocol_whitelist', 'file', '-f', demuxer, '-i', `file:${path}`],
];
