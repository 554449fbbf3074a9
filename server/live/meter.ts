import type { Viewer } from './ingest/hub.ts';

/** What a stream brings, of the last seconds. */
export interface StreamFacts {
  kbps: number;
  fps: number;
  /** Seconds between the last two key frames; null: fewer came. */
  keyEvery: number | null;
  hasVideo: boolean;
  hasAudio: boolean;
}

const WINDOW = 5000;
const AUDIO_TAG = 8;
const VIDEO_TAG = 9;
/** FLV's first byte of a video tag's data: a key frame of H.264. */
const KEY_FRAME = 0x17;
const FIRST_DATA = 11;
/** The byte that says whether it is a picture (FLV specification E.4.3.1). */
const PICTURE = 1;

/** Counts what comes in a stream, as a viewer of it that shows nothing. */
export class Meter implements Viewer {
  private tags: { at: number; bytes: number; video: boolean }[] = [];
  private keys: number[] = [];
  private hasVideo = false;
  private hasAudio = false;
  private readonly now: () => number;
  private readonly onEnd: () => void;

  /** @param onEnd its stream began anew: it has to watch again */
  constructor(now: () => number, onEnd: () => void) {
    this.now = now;
    this.onEnd = onEnd;
  }

  send(bytes: Buffer): void {
    const at = this.now();
    const [kind] = bytes;
    // The beginning of an FLV says which tracks there are.
    if (kind === 0x46) {
      this.hasVideo = ((bytes[4] ?? 0) & 1) === 1;
      this.hasAudio = ((bytes[4] ?? 0) & 4) === 4;
      return;
    }
    if (kind !== AUDIO_TAG && kind !== VIDEO_TAG) return;
    this.tags.push({ at, bytes: bytes.length, video: kind === VIDEO_TAG });
    const first = this.tags[0];
    if (first && at - first.at > 2 * WINDOW) this.tags = this.tags.filter((tag) => at - tag.at <= WINDOW);
    if (kind === VIDEO_TAG && bytes[FIRST_DATA] === KEY_FRAME && bytes[FIRST_DATA + 1] === PICTURE)
      this.keys = [...this.keys.slice(-1), bytes.readUIntBE(4, 3) + (bytes[7] ?? 0) * 2 ** 24];
  }

  waiting(): number {
    return 0;
  }

  end(): void {
    this.onEnd();
  }

  /** Null: nothing came in the last seconds. */
  facts(): StreamFacts | null {
    const now = this.now();
    const recent = this.tags.filter(({ at }) => now - at <= WINDOW);
    const [first] = recent;
    if (!first) return null;
    const seconds = Math.max(1, (now - first.at) / 1000);
    const bits = recent.reduce((sum, { bytes }) => sum + bytes * 8, 0);
    const [before, last] = this.keys;
    return {
      kbps: Math.round(bits / seconds / 1000),
      fps: Math.round((recent.filter(({ video }) => video).length / seconds) * 10) / 10,
      keyEvery: before === undefined || last === undefined ? null : Math.max(0, Math.round((last - before) / 100) / 10),
      hasVideo: this.hasVideo,
      hasAudio: this.hasAudio,
    };
  }
}
