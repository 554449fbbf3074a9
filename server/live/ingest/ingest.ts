import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { endingsAfter, waitToRestart } from '#rules/live/restart.ts';
import { isStreamName, withoutKeys } from '#rules/live/stream-key.ts';
import type { ChildSettings } from './child.ts';
import { RecordReader } from './frames.ts';
import { Hub, type Viewer } from './hub.ts';
import { type FromIngest, readFromIngest, type ToIngest } from './message.ts';

/** What the ingest tells of streams. */
export type StreamEvent = Extract<FromIngest, { stream: string }>;

/** Why no encoder can come; null: one can. */
type IngestTrouble =
  | 'unreached'
  | 'starting'
  | 'portTaken'
  | 'portForbidden'
  | 'noListening'
  | 'ended'
  | 'closed'
  | null;

export interface Ingest {
  /** Where encoders come to, and why they cannot. */
  state(): { port: number; trouble: IngestTrouble };
  /** The key of a stream changed, or its lesson ended: whoever publishes is cut at once. */
  cut(stream: string): void;
  /** Watches a stream, from now or from when it begins. @returns what ends the watching */
  watch(stream: string, viewer: Viewer): () => void;
  /** Ends it; what was recorded is on the disk. */
  close(): Promise<void>;
}

export interface IngestOptions extends ChildSettings {
  log: Logger;
  /** Whose stream a key is, asked before an encoder may begin; null: nobody's. */
  authorize(key: string): Promise<string | null>;
  onEvent(event: StreamEvent): void;
}

/** What is kept of its words (characters). */
const SAID = 2000;
/** Seconds without a word after which it hangs. */
const HANGS_AFTER = 10;
const HEAP_MB = 128;
/** How long it may take to end (milliseconds). */
const PATIENCE = 3000;
/** Keys that are looked for in its words. */
const MOST_KEYS = 50;

const troubles: Readonly<Record<string, IngestTrouble>> = { EADDRINUSE: 'portTaken', EACCES: 'portForbidden' };

/**
 * Starts the ingest: a process of its own that takes what encoders send, is watched, and is started again when it ends (decision 050).
 * Nothing that happens there reaches the server but messages and frames, both looked at; it is there or not, and the site is.
 */
export function openIngest({ log, authorize, onEvent, ...settings }: IngestOptions): Ingest {
  const hub = new Hub();
  const keys = new Set<string>();
  /** How often any stream was cut. */
  let cuts = 0;
  let child: ChildProcess | null = null;
  let trouble: IngestTrouble = 'starting';
  let { port } = settings;
  let endings = 0;
  let again: NodeJS.Timeout | null = null;
  /** What publishes, and the part of it that is written: a process that ended tells of no end. */
  const publishing = new Map<string, string | null>();
  /** Seconds without a word; counted, since a server that is busy hears late what was said in time. */
  let quiet = 0;

  // Whoever is no longer there is told nothing.
  const say = (to: ChildProcess, message: ToIngest) => to.connected && to.send(message, () => undefined);

  async function answer(from: ChildProcess, id: number, key: string): Promise<void> {
    keys.add(key);
    const [oldest] = keys;
    if (keys.size > MOST_KEYS && oldest !== undefined) keys.delete(oldest);
    const stream = await streamOf(key).catch((error: unknown) => {
      log.error({ err: error }, 'a stream key could not be looked up');
      return null;
    });
    say(from, { says: 'answer', id, stream: isStreamName(stream) ? stream : null });
  }

  /** A key that may have changed while it was looked up is looked up again. */
  async function streamOf(key: string): Promise<string | null> {
    for (;;) {
      const before = cuts;
      const stream = await authorize(key);
      if (stream === null || cuts === before) return stream;
    }
  }

  function hear(from: ChildProcess, message: unknown): void {
    quiet = 0;
    const said = readFromIngest(message);
    if (!said) {
      distrust(from, 'a message that is none');
      return;
    }
    switch (said.says) {
      case 'alive':
        return;
      case 'listens':
        trouble = null;
        port = said.port;
        return;
      case 'failed':
        trouble = troubles[said.code] ?? 'noListening';
        log.warn({ code: said.code, port: settings.port }, 'no live stream can come in: the RTMP port cannot be used');
        return;
      case 'ask':
        void answer(from, said.id, said.key);
        return;
      default:
        if (said.says === 'begun') publishing.set(said.stream, null);
        else if (said.says === 'over') publishing.delete(said.stream);
        else if (said.says === 'part' && publishing.has(said.stream))
          publishing.set(said.stream, said.whole ? null : said.name);
        tell(said);
    }
  }

  function tell(event: StreamEvent): void {
    try {
      onEvent(event);
    } catch (error) {
      log.error({ err: error }, 'what the ingest told was not taken');
    }
  }

  /** Says what a process that ended could not: its streams are over, their parts as whole as they will be. */
  function tellEnds(): void {
    for (const [stream, part] of publishing) {
      tell({ says: 'over', stream, why: 'closed' });
      if (part !== null) tell({ says: 'part', stream, name: part, whole: true });
    }
    publishing.clear();
  }

  /** What it says cannot be trusted: a new one begins from nothing. */
  function distrust(whom: ChildProcess, why: string): void {
    log.error({ why }, 'the ingest of live streams is ended');
    whom.kill('SIGKILL');
  }

  function start(): void {
    again = null;
    const startedAt = performance.now();
    const started = fork(join(import.meta.dirname, 'child.ts'), [JSON.stringify(settings satisfies ChildSettings)], {
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      // Nothing of our settings, keys among them. One arena, or the allocator keeps much that nobody uses.
      env: { MALLOC_ARENA_MAX: '1', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    });
    child = started;
    quiet = 0;
    let words = '';
    started.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      words = (words + piece).slice(-SAID);
    });
    const records = new RecordReader();
    const frames = started.stdio[4] as Readable;
    frames.on('error', () => undefined);
    frames.on('data', (bytes: Buffer) => {
      if (child === started && !records.push(bytes, (record) => hub.take(record, performance.now())))
        distrust(started, 'frames that are none');
    });
    started.on('message', (message) => {
      if (child === started) hear(started, message);
    });
    const ended = (how: object) => {
      if (child !== started) return;
      child = null;
      hub.clear();
      tellEnds();
      if (trouble === 'closed') return;
      endings = endingsAfter(endings, performance.now() - startedAt);
      if (trouble === null || trouble === 'starting') {
        trouble = 'ended';
        log.error({ ...how, words: withoutKeys(words, keys) }, 'the ingest of live streams ended');
      }
      again = setTimeout(start, waitToRestart(endings));
    };
    // One that could not even be started has no end.
    started.on('error', (error) => (started.pid === undefined ? ended({ err: error }) : undefined));
    started.once('close', (code, signal) => ended({ code, signal }));
  }

  start();
  const watch = setInterval(() => {
    quiet += 1;
    if (child && quiet > HANGS_AFTER) distrust(child, 'it hangs');
  }, 1000).unref();

  return {
    state: () => ({ port, trouble }),
    cut: (stream) => {
      cuts += 1;
      if (child) say(child, { says: 'cut', stream });
    },
    watch: (stream, viewer) => hub.watch(stream, viewer),
    close: async () => {
      trouble = 'closed';
      clearInterval(watch);
      if (again) clearTimeout(again);
      const last = child;
      if (!last) return;
      const gone = once(last, 'exit');
      say(last, { says: 'end' });
      const late = setTimeout(() => last.kill('SIGKILL'), PATIENCE);
      if (last.exitCode === null && last.signalCode === null) await gone;
      clearTimeout(late);
    },
  };
}
