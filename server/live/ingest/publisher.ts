import { audioKind, type StreamFault, type StreamWarning, videoKind } from '#rules/live/codec.ts';
import { nextTime, type Timeline, type Track } from '#rules/live/timeline.ts';
import { TAG, type TagKind } from './flv.ts';

/** One frame on the continuous clock of its stream. */
export interface Frame {
  track: Track;
  /** Milliseconds. */
  time: number;
  /** A viewer may begin with it. */
  key: boolean;
  /** As it stands in an FLV tag. */
  data: Buffer;
}

/** What every viewer and every part begins with: the parameters of the codecs. */
export interface Codecs {
  video: Buffer | null;
  audio: Buffer | null;
}

/** What a message of an encoder means for its stream. */
export type Said =
  /** `again`: others, after it had begun. */
  | { says: 'codecs'; codecs: Codecs; again: boolean }
  | { says: 'frame'; frame: Frame }
  | { says: 'jump' }
  | { says: 'warning'; what: StreamWarning }
  | { says: 'refused'; why: StreamFault };

/** Milliseconds for which a stream with one track waits for the other one: encoders send both beginnings at once. */
const WAITS_FOR_TRACK = 500;
/** Of key frames (milliseconds), above which whoever joins waits long. */
const LONGEST_KEY_GAP = 10_000;
/** What is kept while it is not known which tracks there are. */
const MOST_HELD = 200;

export const tagOf = (track: Track): TagKind => (track === 'video' ? TAG.video : TAG.audio);

/**
 * What one encoder sends, from its first message on: codecs are checked, frames before their parameters and empty messages left out,
 * times brought onto the stream's clock. Whoever takes what it says gets the codecs first, and again when they change.
 */
export class Publisher {
  line: Timeline;
  private codecs: Codecs = { video: null, audio: null };
  private opened = false;
  private firstAt: number | null = null;
  private held: Frame[] = [];
  private keyAt: number | null = null;
  private readonly warned = new Set<StreamWarning>();

  constructor(line: Timeline) {
    this.line = line;
  }

  /**
   * @param time the encoder's, 32 bits
   * @param now our own clock, milliseconds
   */
  take(track: Track, time: number, data: Buffer, now: number): Said[] {
    const kind = track === 'video' ? videoKind(data) : audioKind(data);
    if (!kind.ok) return kind.why === 'nothing' ? [] : [{ says: 'refused', why: kind.why }];
    if (kind.is === 'header') return this.header(track, data, now);
    if (kind.is === 'end' || this.codecs[track] === null) return [];
    const said: Said[] = [];
    const { line, time: at, jumped } = nextTime(this.line, track, time, now);
    this.line = line;
    if (jumped) said.push({ says: 'jump' }, ...this.warn('clock'));
    const key = kind.is === 'picture' && kind.key;
    if (kind.is === 'picture') {
      if (kind.reordered) said.push(...this.warn('bFrames'));
      if (key || this.keyAt === null) this.keyAt = at;
      else if (at - this.keyAt > LONGEST_KEY_GAP) said.push(...this.warn('keyFrames'));
    }
    const frame = { track, time: at, key, data };
    this.firstAt ??= now;
    if (!this.opened) {
      this.held.push(frame);
      if (!this.isComplete() && now - this.firstAt < WAITS_FOR_TRACK && this.held.length < MOST_HELD) return said;
      return [...said, ...this.open()];
    }
    return [...said, { says: 'frame', frame }];
  }

  /** What is to be said when time has passed and nothing came: the tracks that there are will have to do. */
  waited(now: number): Said[] {
    return !this.opened && this.firstAt !== null && now - this.firstAt >= WAITS_FOR_TRACK ? this.open() : [];
  }

  private header(track: Track, data: Buffer, now: number): Said[] {
    const before = this.codecs[track];
    if (before?.equals(data)) return [];
    this.codecs = { ...this.codecs, [track]: data };
    if (this.opened) return [{ says: 'codecs', codecs: this.codecs, again: true }];
    // Frames of before belong to other parameters.
    if (before) this.held = [];
    this.firstAt ??= now;
    return this.isComplete() && this.held.length > 0 ? this.open() : [];
  }

  private isComplete(): boolean {
    return this.codecs.video !== null && this.codecs.audio !== null;
  }

  private open(): Said[] {
    this.opened = true;
    const frames = this.held.map((frame): Said => ({ says: 'frame', frame }));
    this.held = [];
    return [{ says: 'codecs', codecs: this.codecs, again: false }, ...frames];
  }

  private warn(what: StreamWarning): Said[] {
    if (this.warned.has(what)) return [];
    this.warned.add(what);
    return [{ says: 'warning', what }];
  }
}
