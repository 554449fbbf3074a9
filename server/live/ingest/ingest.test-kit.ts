import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { expect, vi } from 'vitest';
import { type Ingest, type IngestOptions, openIngest, type StreamEvent } from './ingest.ts';

export const KEY = 'right-key-0123456789';
export const STREAM = 'lesson-1';

/** An ingest with its process, as a server has it, and all that it says. */
export interface IngestKit {
  ingest: Ingest;
  port: number;
  folder: string;
  events: StreamEvent[];
  /** Its lines of log. */
  log: string[];
  /** Keys with their streams. */
  keys: Map<string, string>;
  pid(): number;
  /** Waits for an event. */
  told(what: Partial<Record<string, unknown>>, times?: number): Promise<void>;
  parts(stream?: string): string[];
  close(): Promise<void>;
}

export async function ingestKit(options: Partial<IngestOptions> = {}): Promise<IngestKit> {
  const folder = mkdtempSync(join(tmpdir(), 'lixue-ingest-'));
  const events: StreamEvent[] = [];
  const log: string[] = [];
  const keys = new Map([[KEY, STREAM]]);
  const lines = new Writable({
    write: (line, _, done) => {
      log.push(String(line));
      done();
    },
  });
  const ingest = openIngest({
    ...{ port: 0, host: '127.0.0.1', folder, keepFree: 0 },
    log: pino({ level: 'trace' }, lines),
    authorize: async (key) => keys.get(key) ?? null,
    onEvent: (event) => void events.push(event),
    ...options,
  });
  await vi.waitFor(() => expect(ingest.state().trouble).not.toBe('starting'), { timeout: 20_000 });
  return {
    ...{ ingest, folder, events, log, keys, port: ingest.state().port },
    pid: () => pidOf(folder),
    told: (what, times = 1) =>
      soon(
        () =>
          events.filter((event) => Object.entries(what).every(([name, value]) => event[name as 'says'] === value))
            .length,
      ).toBeGreaterThanOrEqual(times),
    parts: (stream = STREAM) => readdirSync(join(folder, stream)).sort().map((name) => join(folder, stream, name)), // biome-ignore format: a line
    close: async () => {
      await ingest.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Looks again and again, for long: other tests keep the machine busy. */
export const soon = <T>(look: () => T) => expect.poll(look, { timeout: 20_000, interval: 10 });

/** The process whose settings name this folder; 0: none. */
export function pidOf(folder: string): number {
  for (const pid of readdirSync('/proc'))
    try {
      const line = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
      if (line.includes(join('ingest', 'child.ts')) && line.includes(folder)) return Number(pid);
    } catch {
      // It has just ended.
    }
  return 0;
}

/** Memory that a process has, in MB. */
export function memoryOf(pid: number): number {
  const [, kb = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

/** A viewer that keeps all bytes. */
export function collect(ingest: Ingest, stream = STREAM) {
  const pieces: Buffer[] = [];
  const ends: string[] = [];
  const leave = ingest.watch(stream, {
    send: (bytes) => void pieces.push(bytes),
    waiting: () => 0,
    end: (why) => void ends.push(why),
  });
  return { pieces, ends, leave, bytes: () => Buffer.concat(pieces) };
}

/** The kinds, times and data of the tags of an FLV. */
export function tags(flv: Buffer) {
  const found: { kind: number; time: number; data: Buffer }[] = [];
  for (let at = 13; at + 15 <= flv.length; ) {
    const length = flv.readUIntBE(at + 1, 3);
    const time = flv.readUIntBE(at + 4, 3) + (flv[at + 7] ?? 0) * 2 ** 24;
    found.push({ kind: flv[at] ?? 0, time, data: flv.subarray(at + 11, at + 11 + length) });
    at += 15 + length;
  }
  return found;
}

const VIDEO = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25'];
const TONE = ['-f', 'lavfi', '-i', 'sine=frequency=440'];
const H264 = '-c:v libx264 -preset ultrafast -tune zerolatency -g 25 -pix_fmt yuv420p -threads 1'.split(' ');

/** A real encoder that pushes until it is ended. */
export function encoder(
  ffmpeg: string,
  port: number,
  { key = KEY, video = true, audio = true, more = [] as string[] } = {},
) {
  const inputs = [...(video ? ['-re', ...VIDEO] : []), ...(audio ? ['-re', ...TONE] : [])];
  const codecs = [...(video ? H264 : []), ...(audio ? ['-c:a', 'aac'] : [])];
  const args = ['-hide_banner', '-loglevel', 'error', '-nostdin', ...inputs, ...codecs, ...more];
  const child: ChildProcess = spawn(ffmpeg, [...args, '-f', 'flv', `rtmp://127.0.0.1:${port}/live/${key}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr?.on('data', (piece) => {
    words += String(piece);
  });
  const gone = once(child, 'exit');
  return {
    words: () => words,
    gone: () => gone,
    /** As its stop button does: it says that it ends. */
    stop: async () => {
      child.kill('SIGTERM');
      await gone;
    },
    /** Still there, with its connection open, and silent. */
    freeze: () => void child.kill('SIGSTOP'),
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** What FFmpeg makes of a file when it decodes all of it: pictures, milliseconds, and whether anything was wrong. */
export async function decoded(
  ffmpeg: string,
  path: string,
): Promise<{ pictures: number; length: number; faults: string }> {
  const { stderr } = await promisify(execFile)(ffmpeg, ['-hide_banner', '-nostdin', '-i', path, '-f', 'null', '-']);
  const last = [...stderr.matchAll(/time=(\d+):(\d+):([\d.]+)/g)].at(-1);
  const length = last ? (Number(last[1]) * 3600 + Number(last[2]) * 60 + Number(last[3])) * 1000 : 0;
  const pictures = Number([...stderr.matchAll(/frame=\s*(\d+)/g)].at(-1)?.[1] ?? 0);
  return { pictures, length, faults: (stderr.match(/^.*(error|invalid|corrupt).*$/gim) ?? []).join('\n') };
}
