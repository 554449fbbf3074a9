import type { Logger } from 'pino';
import { endingsAfter, waitToRestart } from '#rules/live/restart.ts';
import { Hub, type Viewer } from '../ingest/hub.ts';
import type { FromIngest } from '../ingest/message.ts';
import { type Encoder, Streams } from '../ingest/streams.ts';
import { FlvReader } from './flv-reader.ts';

/** A stream that says nothing for so long (milliseconds) is fetched anew. */
const SILENT_AFTER = 10_000;
/** How long a stream is fetched on after the last viewer (milliseconds): windows come back. */
const LINGERS = 5000;
/** Between two looks whether a stream that somebody waits for has begun (milliseconds). */
const LOOK_EVERY = 250;
const LONGEST_WAIT = 3000;

interface PullWorld {
  /** Where a stream is fetched from, signed for this moment. */
  address(stream: string): string;
  /** Whether somebody sends it, as was last seen. */
  isSent(stream: string): boolean;
  /** What frames say of their stream. */
  tell(message: Extract<FromIngest, { says: 'warning' | 'refused' }>): void;
  log: Logger;
}

/** What records here is SRS. */
const NO_RECORDING = {
  begin: () => undefined,
  take: () => undefined,
  jump: () => undefined,
  finish: () => undefined,
  settled: async () => undefined,
};

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/**
 * Fetches the streams that somebody watches at this server from SRS, each once, and hands them to all who watch, as the hub of our own
 * ingest does: with the same checks of codecs, on the same clock.
 */
export class Pulls {
  private readonly hub = new Hub();
  private readonly streams: Streams;
  private readonly pulls = new Map<string, { viewers: number; abort: AbortController; emptyAt: number }>();
  private readonly tick: NodeJS.Timeout;
  private readonly world: PullWorld;
  private readonly running = new Set<Promise<void>>();

  constructor(world: PullWorld) {
    this.world = world;
    this.streams = new Streams({
      now: () => performance.now(),
      tell: (message) => {
        if (message.says === 'warning' || message.says === 'refused') world.tell(message);
      },
      hand: (record) => this.hub.take(record, performance.now()),
      recorder: () => NO_RECORDING,
      wait: pause,
    });
    this.tick = setInterval(() => {
      this.streams.tick();
      const now = performance.now();
      for (const { viewers, emptyAt, abort } of this.pulls.values())
        if (viewers === 0 && now - emptyAt > LINGERS) abort.abort();
    }, 1000).unref();
  }

  watch(stream: string, viewer: Viewer): () => void {
    let pull = this.pulls.get(stream);
    if (!pull || pull.abort.signal.aborted) {
      pull = { viewers: 0, abort: new AbortController(), emptyAt: 0 };
      this.pulls.set(stream, pull);
      const run = this.fetchOn(stream, pull.abort.signal);
      this.running.add(run);
      void run.finally(() => this.running.delete(run));
    }
    const mine = pull;
    mine.viewers += 1;
    const leave = this.hub.watch(stream, viewer);
    let left = false;
    return () => {
      leave();
      if (left) return;
      left = true;
      mine.viewers -= 1;
      mine.emptyAt = performance.now();
    };
  }

  async close(): Promise<void> {
    clearInterval(this.tick);
    for (const { abort } of this.pulls.values()) abort.abort();
    await Promise.all(this.running);
  }

  /** Fetches one stream, again after each end, until nobody watches. */
  private async fetchOn(stream: string, signal: AbortSignal): Promise<void> {
    let endings = 0;
    while (!signal.aborted) {
      if (!this.world.isSent(stream)) {
        await pause(LOOK_EVERY);
        continue;
      }
      const startedAt = performance.now();
      await this.fetchOnce(stream, signal).catch((error: unknown) => {
        // The address has a grant in it: of an error its kind alone is said.
        if (!signal.aborted)
          this.world.log.warn({ stream, error: error instanceof Error ? error.name : '' }, 'SRS: fetching a stream');
      });
      endings = endingsAfter(endings, performance.now() - startedAt);
      if (!signal.aborted) await pause(Math.min(waitToRestart(endings), LONGEST_WAIT));
    }
    if (this.pulls.get(stream)?.abort.signal === signal) this.pulls.delete(stream);
  }

  private async fetchOnce(stream: string, outer: AbortSignal): Promise<void> {
    const quiet = new AbortController();
    const late = setTimeout(() => quiet.abort(), SILENT_AFTER);
    const signal = AbortSignal.any([outer, quiet.signal]);
    const encoder: Encoder = { dismiss: () => quiet.abort() };
    try {
      const answer = await fetch(this.world.address(stream), { signal, redirect: 'error' });
      if (answer.status !== 200 || !answer.body) throw new Error(`it answers ${answer.status}`);
      if (!(await this.streams.begin(stream, encoder, () => !signal.aborted))) return;
      const reader = new FlvReader();
      for await (const piece of answer.body) {
        late.refresh();
        const isFlv = reader.push(piece, (track, time, data) => this.streams.take(stream, encoder, track, time, data));
        if (!isFlv) throw new Error('it is no FLV');
      }
    } finally {
      clearTimeout(late);
      quiet.abort();
      this.streams.leave(stream, encoder, 'closed');
    }
  }
}
