import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Logger } from 'pino';
import { endingsAfter, waitToRestart } from '#rules/live/restart.ts';
import {
  isEnough,
  newList,
  playlistOf,
  readMade,
  SEGMENT_SECONDS,
  type SlidingList,
  slide,
} from '#rules/live/sliding-list.ts';
import { FfmpegSilent, runFfmpeg } from '#server/media/ffmpeg.ts';
import type { FindFfmpeg } from '#server/media/transcode-job.ts';
import type { Random } from '#server/parts.ts';
import type { Viewer } from './ingest/hub.ts';
import type { Ingest } from './ingest/ingest.ts';

/** Lessons that are repackaged at once: each holds some tens of MB. */
const MOST_LESSONS = 8;
/** Nobody asked for so long: nobody watches (milliseconds). A player asks every two seconds. */
const UNWATCHED_AFTER = 30_000;
/** How long somebody waits for the first segments (milliseconds). */
const LONGEST_WAIT = 12_000;
/** A stream that is silent for so long (milliseconds) is over for FFmpeg, which hands out what it still has. */
const SILENT_AFTER = 5000;
/** A step of the stream's clock behind which another FFmpeg begins (milliseconds): players would take it for a segment of that length. */
const STEP = 5000;
/** An FFmpeg that is fed and makes nothing for so long hangs (milliseconds): key frames come more often. */
const HANGS_AFTER = 30_000;
const LARGEST_SEGMENT = 64 * 1024 * 1024;
const MEMORY_KB = 1024 * 1024;
const LOOK_EVERY = 1000;
/** How long an FFmpeg that is given nothing more may take to end (milliseconds). */
const FAREWELL = 3000;
const LONGEST_LINE = 1000;

/** Reads FLV as it comes, and writes segments into its folder and a list of them to stdout, anew after each one. No picture is decoded. */
const ARGS = [
  ...['-loglevel', 'error', '-protocol_whitelist', 'file,pipe'],
  // It has to know the tracks alone, which the beginning says.
  ...['-probesize', '1000000', '-analyzeduration', '1000000', '-f', 'flv', '-i', 'pipe:4'],
  // Sound that stays away holds the picture back no longer than this (microseconds).
  ...['-map', '0', '-c', 'copy', '-max_interleave_delta', '500000'],
  ...[
    '-f',
    'hls',
    '-hls_time',
    String(SEGMENT_SECONDS),
    '-hls_list_size',
    '2',
    '-hls_segment_filename',
    '%d.ts',
    'pipe:1',
  ],
];

const TAG_VIDEO = 9;
const TAG_AUDIO = 8;
/** The time of an FLV tag; null: it is the beginning of all. */
const timeOf = (bytes: Buffer) =>
  bytes[0] === TAG_AUDIO || bytes[0] === TAG_VIDEO ? bytes.readUIntBE(4, 3) + (bytes[7] ?? 0) * 2 ** 24 : null;

/** Lessons as HLS, for browsers without media source extensions. */
export interface LiveHls {
  /** Whether one more stream could be watched so: `noFfmpeg`, `full` (the machine has no room for one more); null: yes. */
  trouble(stream: string): Promise<'noFfmpeg' | 'full' | null>;
  /** The playlist of a stream; who asks first starts its repackaging and waits for it. Null: there is nothing to play. */
  playlist(stream: string): Promise<string | null>;
  /** One segment; null: there is none, or not any more. */
  segment(stream: string, number: number): Buffer | null;
  close(): Promise<void>;
}

interface HlsParts {
  ingest: Pick<Ingest, 'watch'>;
  ffmpegOfMachine: FindFfmpeg;
  /** A folder of this alone, emptied when it opens: of a segment it holds what is being written. */
  folder: string;
  clock: () => number;
  random: Random;
  log: Logger;
  /** As `LONGEST_WAIT` and `UNWATCHED_AFTER`, where a test has less time. */
  longestWait?: number;
  unwatchedAfter?: number;
}

/**
 * Makes HLS of the streams that somebody asks for: one FFmpeg for each, fed as one more viewer of the hub, started by the first who asks
 * and ended half a minute after the last. What it makes is held in memory. One that ends is started again, later each time.
 */
export async function openHls(parts: HlsParts): Promise<LiveHls> {
  const { ffmpegOfMachine, folder, log } = parts;
  const lessons = new Map<string, Repackager>();
  let closed = false;
  // What a server that was killed left there.
  await rm(folder, { recursive: true, force: true }).catch((error: unknown) => log.warn({ err: error }, 'live as HLS'));
  const look = setInterval(() => {
    for (const [stream, lesson] of lessons) {
      if (lesson.look(performance.now())) continue;
      lessons.delete(stream);
      void lesson.close();
    }
  }, LOOK_EVERY).unref();
  return {
    trouble: async (stream) => {
      try {
        if ((await ffmpegOfMachine()) === null) return 'noFfmpeg';
      } catch (error) {
        if (error instanceof FfmpegSilent) return 'full';
        throw error;
      }
      return lessons.has(stream) || lessons.size < MOST_LESSONS ? null : 'full';
    },
    playlist: async (stream) => {
      let lesson = lessons.get(stream);
      // Players ask on while the server ends: none is begun that nobody would end, and nobody waits for one.
      if (!lesson && (closed || lessons.size >= MOST_LESSONS)) return null;
      lesson ??= new Repackager(parts, stream);
      lessons.set(stream, lesson);
      return lesson.playlist();
    },
    segment: (stream, number) => lessons.get(stream)?.segment(number) ?? null,
    close: async () => {
      closed = true;
      clearInterval(look);
      const all = [...lessons.values()];
      lessons.clear();
      await Promise.all(all.map((lesson) => lesson.close()));
    },
  };
}

/** One stream as HLS: its newest segments, and the run of FFmpeg that makes them. */
class Repackager {
  private list: SlidingList;
  private readonly bytes = new Map<number, Buffer>();
  private askedAt = performance.now();
  private waiting: (() => void)[] = [];
  private run: Run | null = null;
  /** Until the last of them is gone with its folder. */
  private ends: Promise<unknown> = Promise.resolve();
  private endings = 0;
  private again: NodeJS.Timeout | null = null;
  private closed = false;
  private readonly parts: HlsParts;
  private readonly stream: string;

  constructor(parts: HlsParts, stream: string) {
    this.parts = parts;
    this.stream = stream;
    this.list = newList(parts.clock());
    this.begin();
  }

  async playlist(): Promise<string | null> {
    this.askedAt = performance.now();
    if (!isEnough(this.list)) await this.first();
    return this.list.segments.length === 0 ? null : playlistOf(this.list);
  }

  segment(number: number): Buffer | null {
    return this.bytes.get(number) ?? null;
  }

  /** @returns false: nobody watches */
  look(now: number): boolean {
    this.run?.look(now);
    return this.waiting.length > 0 || now - this.askedAt < (this.parts.unwatchedAfter ?? UNWATCHED_AFTER);
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.again) clearTimeout(this.again);
    this.run?.kill();
    this.tell();
    await this.ends;
  }

  /** Waits for the first segments. */
  private async first(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waiting.push(resolve);
    const late = setTimeout(resolve, this.parts.longestWait ?? LONGEST_WAIT);
    await promise;
    clearTimeout(late);
    this.waiting = this.waiting.filter((other) => other !== resolve);
    this.askedAt = performance.now();
  }

  private tell(): void {
    for (const go of this.waiting.splice(0)) go();
  }

  private begin(): void {
    if (this.closed) return;
    const startedAt = performance.now();
    // What the last one still hands out stands before what this one makes.
    const run = new Run(this.parts, this.stream, this.ends, {
      made: (seconds, bytes, anew) => this.take(seconds, bytes, anew),
      next: () => {
        if (this.run !== run) return;
        run.finish();
        this.begin();
      },
    });
    this.run = run;
    const gone = run.gone.then((failed) => {
      if (failed === null || this.run !== run || this.closed) return;
      this.endings = endingsAfter(this.endings, performance.now() - startedAt);
      this.parts.log.warn({ ...failed, stream: this.stream }, 'live as HLS: FFmpeg ended');
      // Several that end in one moment, of one cause, do not come back in one.
      const chance = (this.parts.random(1)[0] ?? 0) / 256;
      this.again = setTimeout(() => this.begin(), waitToRestart(this.endings) * (1 + chance));
    });
    this.ends = Promise.all([this.ends, gone]);
    // A stream that is there is handed over at once, and may have begun anew meanwhile.
    run.watch();
  }

  private take(seconds: number, bytes: Buffer, anew: boolean): void {
    if (this.closed || bytes.length === 0) return;
    const number = this.list.next;
    this.list = slide(this.list, { seconds, anew: anew && this.list.segments.length > 0, bytes: bytes.length });
    this.bytes.set(number, bytes);
    const [oldest] = this.list.segments;
    for (const known of this.bytes.keys()) if (known < (oldest?.number ?? 0)) this.bytes.delete(known);
    if (isEnough(this.list)) this.tell();
  }
}

/** What a run tells. */
interface Tell {
  /** @param anew it is the first one of this run */
  made(seconds: number, bytes: Buffer, anew: boolean): void;
  /** Its stream goes on in a way that needs another run. */
  next(): void;
}

/** One run of FFmpeg, from the first frame that its stream has until that breaks. It watches the stream as a viewer does. */
class Run implements Viewer {
  /** When its FFmpeg is gone, with all that it made; null: as it should, or there was none. */
  readonly gone: Promise<object | null>;
  private readonly went = Promise.withResolvers<object | null>();
  private readonly parts: HlsParts;
  private readonly stream: string;
  private readonly folder: string;
  private readonly tell: Tell;
  private readonly abort = new AbortController();
  /** Segments are read one after the other. */
  private work: Promise<unknown>;
  private leave: (() => void) | null = null;
  /** All that it was given at once came. */
  private joined = false;
  private started = false;
  private input: Writable | null = null;
  private early: Buffer[] = [];
  private lastTime: number | null = null;
  private fedAt = 0;
  /** Nothing more goes to FFmpeg. */
  private ended = false;
  private first = true;

  constructor(parts: HlsParts, stream: string, after: Promise<unknown>, tell: Tell) {
    this.gone = this.went.promise;
    this.parts = parts;
    this.stream = stream;
    this.work = after;
    this.tell = tell;
    // Of its own also beside another server with the same folder.
    this.folder = join(parts.folder, `${stream}-${parts.random(6).toString('hex')}`);
  }

  watch(): void {
    const leave = this.parts.ingest.watch(this.stream, this);
    this.joined = true;
    if (this.ended) leave();
    else this.leave = leave;
  }

  send(bytes: Buffer): void {
    const time = timeOf(bytes);
    const steps = time !== null && this.lastTime !== null && Math.abs(time - this.lastTime) > STEP;
    // Of what is given at once every step was seen before: another run would be given it again.
    if (this.ended || (steps && this.joined)) {
      this.tell.next();
      return;
    }
    if (time !== null) {
      this.lastTime = time;
      this.fedAt = performance.now();
    }
    if (this.input) this.input.write(bytes);
    else this.early.push(bytes);
    if (time === null || this.started) return;
    this.started = true;
    void this.run();
  }

  waiting(): number {
    return this.input ? this.input.writableLength : this.early.reduce((sum, { length }) => sum + length, 0);
  }

  end(why: 'changed' | 'slow'): void {
    this.leave = null;
    if (why === 'changed') this.tell.next();
    else this.abort.abort();
  }

  /** A stream that fell silent: what is there is handed out, and what comes next is for another run. */
  look(now: number): void {
    if (this.started && !this.ended && now - this.fedAt > SILENT_AFTER) this.endInput();
  }

  /** Hands out what it still has, and is gone. */
  finish(): void {
    this.part();
    this.endInput();
  }

  kill(): void {
    this.finish();
    this.abort.abort();
  }

  private part(): void {
    this.leave?.();
    this.leave = null;
  }

  private endInput(): void {
    if (this.ended) return;
    this.ended = true;
    this.input?.end();
    if (!this.started) this.went.resolve(null);
    // One that hangs is not waited for.
    else setTimeout(() => this.abort.abort(), FAREWELL).unref();
  }

  private async run(): Promise<void> {
    let failed: object | null = null;
    try {
      const ffmpeg = await this.parts.ffmpegOfMachine();
      if (!ffmpeg) throw new Error('there is no FFmpeg');
      await mkdir(this.folder, { recursive: true });
      const { code, ended, said } = await runFfmpeg(ffmpeg.path, ARGS, {
        ...{ signal: this.abort.signal, folder: this.folder, stalledAfter: HANGS_AFTER },
        ...{ memoryKb: MEMORY_KB, largestFile: LARGEST_SEGMENT },
        hear: this.reader(),
        feed: (input) => {
          this.input = input;
          for (const bytes of this.early.splice(0)) input.write(bytes);
          if (this.ended) input.end();
        },
      });
      if (!this.ended) failed = { code, ended, said };
    } catch (error) {
      if (!this.ended) failed = { err: error };
    }
    this.ended = true;
    if (failed) this.part();
    await this.work;
    await rm(this.folder, { recursive: true, force: true }).catch(() => undefined);
    this.went.resolve(failed);
  }

  /** Reads what FFmpeg lists, and takes each segment from the disk once it is whole. */
  private reader(): (piece: Buffer) => void {
    let rest = '';
    let state: Parameters<typeof readMade>[1] = { last: -1, seconds: null };
    return (piece) => {
      const lines = (rest + piece.toString('latin1')).split('\n');
      rest = (lines.pop() ?? '').slice(-LONGEST_LINE);
      for (const line of lines) {
        const read = readMade(line.trim(), state);
        ({ state } = read);
        if (read.made) this.bring(read.made);
      }
    };
  }

  private bring({ number, seconds }: { number: number; seconds: number }): void {
    const path = join(this.folder, `${number}.ts`);
    this.work = this.work
      .then(async () => {
        const bytes = await readFile(path);
        await rm(path, { force: true });
        this.tell.made(seconds, bytes, this.first);
        this.first = false;
      })
      .catch((error: unknown) => this.parts.log.warn({ err: error }, 'live as HLS: a segment is lost'));
  }
}
