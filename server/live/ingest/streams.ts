import type { StreamFault, StreamWarning } from '#rules/live/codec.ts';
import { GONE_AFTER, mayPublish } from '#rules/live/publishing.ts';
import { goOn, NEW_TIMELINE, type Timeline, type Track } from '#rules/live/timeline.ts';
import { type Allowance, takeMore, type Used } from '#rules/user/allowance.ts';
import { flvBeginning, flvTag } from './flv.ts';
import type { FrameRecord } from './frames.ts';
import type { Ending, FromIngest } from './message.ts';
import { Publisher, type Said, tagOf } from './publisher.ts';
import type { Recorder, RecorderWorld } from './recorder.ts';

/** The connection of an encoder, as far as its stream knows it. */
export interface Encoder {
  /** Ends it; a sentence goes to the encoder where there is one. */
  dismiss(why: Ending, fault?: StreamFault): void;
}

/** What becomes of frames beside being handed on. */
type Recording = Pick<Recorder, 'begin' | 'take' | 'jump' | 'finish' | 'settled'>;

interface StreamsWorld {
  /** Milliseconds. */
  now(): number;
  tell(message: FromIngest): void;
  hand(record: FrameRecord): void;
  recorder(stream: string, world: Pick<RecorderWorld, 'warn' | 'part'>): Recording;
  wait(milliseconds: number): Promise<void>;
}

interface Stream {
  line: Timeline;
  recorder: Recording;
  /** How often it was cut: who asked before that may not begin. */
  cuts: number;
  current: { encoder: Encoder; publisher: Publisher; heardAt: number } | null;
  /** What its encoders used up, over all their connections. */
  used: Partial<Record<keyof typeof ALLOWED, Used>>;
}

/**
 * How often a stream may begin anew, whoever has its key: each time costs a file, and may send all its viewers anew.
 * `begins`: encoders that come, one after the other · `codecs`: other parameters in the middle · `jumps`: of its clock, as parts
 */
const ALLOWED = {
  begins: { most: 60, within: 60_000 },
  codecs: { most: 12, within: 60_000 },
  jumps: { most: 60, within: 60_000 },
} as const satisfies Record<string, Allowance>;

/** How many streams are remembered with their clocks. */
const MOST_STREAMS = 100;

/** All streams of one ingest: who publishes each, and where its frames go. */
export class Streams {
  private readonly streams = new Map<string, Stream>();
  private readonly world: StreamsWorld;

  constructor(world: StreamsWorld) {
    this.world = world;
  }

  /**
   * Lets an encoder with the right key begin, at once or when the one before has fallen silent.
   * @param isHere whether the encoder still waits
   */
  async begin(name: string, encoder: Encoder, isHere: () => boolean): Promise<boolean> {
    const stream = this.find(name);
    const { cuts } = stream;
    const askedAt = this.world.now();
    for (;;) {
      const now = this.world.now();
      if (!isHere() || stream.cuts !== cuts) return false;
      const decided = mayPublish(stream.current, askedAt, now);
      const late = decided.ok ? this.use(stream, 'begins') : 0;
      if (late > 0) {
        await this.world.wait(late);
        continue;
      }
      if (decided.ok) {
        if (stream.current) this.leave(name, stream.current.encoder, 'takenOver');
        stream.current = { encoder, publisher: new Publisher(goOn(stream.line)), heardAt: now };
        this.world.tell({ says: 'begun', stream: name });
        return true;
      }
      if (decided.why === 'busy') return false;
      await this.world.wait(decided.wait);
    }
  }

  /** A frame of an encoder; one that does not publish the stream is not heard. */
  take(name: string, encoder: Encoder, track: Track, time: number, data: Buffer): void {
    const stream = this.streams.get(name);
    if (stream?.current?.encoder !== encoder) return;
    const now = this.world.now();
    const { current } = stream;
    current.heardAt = now;
    this.pass(name, stream, current.publisher.take(track, time, data, now));
  }

  /** An encoder is gone, or has to go. */
  leave(name: string, encoder: Encoder, why: Ending, fault?: StreamFault): void {
    const stream = this.streams.get(name);
    if (stream?.current?.encoder !== encoder) return;
    stream.line = stream.current.publisher.line;
    stream.current = null;
    stream.recorder.finish();
    this.world.hand({ kind: 'end', stream: name, bytes: Buffer.alloc(0) });
    if (fault) this.world.tell({ says: 'refused', stream: name, why: fault });
    this.world.tell({ says: 'over', stream: name, why });
    encoder.dismiss(why, fault);
  }

  /** The key of a stream is no longer the right one, or its lesson is over: who publishes is cut, who waits does not begin. */
  cut(name: string): void {
    const stream = this.streams.get(name);
    if (!stream) return;
    stream.cuts += 1;
    if (stream.current) this.leave(name, stream.current.encoder, 'cut');
  }

  /** What time does: silent encoders lose their stream. */
  tick(): void {
    const now = this.world.now();
    for (const [name, stream] of this.streams) {
      const { current } = stream;
      if (!current) continue;
      if (now - current.heardAt >= GONE_AFTER) this.leave(name, current.encoder, 'silent');
      else this.pass(name, stream, current.publisher.waited(now));
    }
  }

  /** Ends all and waits for their recordings. */
  async end(): Promise<void> {
    for (const [name, { current }] of this.streams) if (current) this.leave(name, current.encoder, 'closed');
    await Promise.all([...this.streams.values()].map(({ recorder }) => recorder.settled()));
  }

  private find(name: string): Stream {
    const known = this.streams.get(name);
    if (known) return known;
    // The oldest that nobody publishes has been over for long.
    const old = [...this.streams].find(([, { current }]) => current === null);
    if (this.streams.size >= MOST_STREAMS && old) this.streams.delete(old[0]);
    const { tell } = this.world;
    const recorder = this.world.recorder(name, {
      warn: (what: StreamWarning) => tell({ says: 'warning', stream: name, what }),
      part: (part, whole) => tell({ says: 'part', stream: name, name: part, whole }),
    });
    const stream: Stream = { line: NEW_TIMELINE, recorder, cuts: 0, current: null, used: {} };
    this.streams.set(name, stream);
    return stream;
  }

  /** Uses up one of what is allowed. @returns 0: it may be; else the milliseconds until it may */
  private use(stream: Stream, what: keyof typeof ALLOWED): number {
    const more = takeMore(ALLOWED[what], stream.used[what], 1, this.world.now());
    if (more.ok) stream.used[what] = more.used;
    return more.ok ? 0 : more.retryAfter;
  }

  private pass(name: string, stream: Stream, said: readonly Said[]): void {
    for (const each of said) {
      if (!stream.current) return;
      switch (each.says) {
        case 'codecs':
          if (each.again && this.use(stream, 'codecs') > 0) {
            this.leave(name, stream.current.encoder, 'refused', 'changing');
            return;
          }
          stream.recorder.begin(each.codecs);
          this.world.hand({ kind: 'begin', stream: name, bytes: flvBeginning(each.codecs) });
          break;
        case 'frame': {
          const { track, time, key, data } = each.frame;
          stream.recorder.take(each.frame);
          const kind = track === 'audio' ? 'audio' : key ? 'key' : 'video';
          this.world.hand({ kind, stream: name, bytes: flvTag(tagOf(track), time, data) });
          break;
        }
        case 'jump':
          // Beyond that its part goes on: times are continuous anyway.
          if (this.use(stream, 'jumps') === 0) stream.recorder.jump();
          break;
        case 'warning':
          this.world.tell({ says: 'warning', stream: name, what: each.what });
          break;
        case 'refused':
          this.leave(name, stream.current.encoder, 'refused', each.why);
      }
    }
  }
}
