import type { FrameRecord } from './frames.ts';

/** Who watches a stream: a socket of some kind. */
export interface Viewer {
  /** A piece of FLV; the first one is its beginning. Shared with others, not to be changed. */
  send(bytes: Buffer): void;
  /** Bytes that were sent and not taken yet. */
  waiting(): number;
  /** Nothing more will be sent. `changed`: begin anew, at once; `slow`: takes too little. */
  end(why: 'changed' | 'slow'): void;
}

/** Bytes that may wait for one viewer, beside what it was given to begin with. */
const MOST_WAITING = 768 * 1024;
/** How long a viewer may be without frames because it takes none (milliseconds). */
const PATIENCE = 5000;
/** Kept for who comes next: from the last key frame on. */
const MOST_KEPT_BYTES = 6 * 1024 * 1024;
const MOST_KEPT_TAGS = 3000;

interface Watching {
  viewer: Viewer;
  /** From when on frames are left out until the next key frame (milliseconds); null: it gets all. */
  skipsSince: number | null;
  /** It was given the beginning. */
  begun: boolean;
  /** Frames are left out because none came yet that it could begin with. */
  isNew: boolean;
  /** Bytes that it was given to begin with and that may be waiting still. */
  lent: number;
}

interface Stream {
  begin: Buffer | null;
  hasVideo: boolean;
  /** An encoder sends. */
  sends: boolean;
  kept: Buffer[];
  keptBytes: number;
  watching: Set<Watching>;
}

/** FLV's byte of flags: the lowest says that there is video. */
const hasVideo = (begin: Buffer) => ((begin[4] ?? 0) & 1) === 1;

/**
 * Hands what one ingest sends to viewers. Whoever joins begins at the last key frame, at once; whoever takes less than comes jumps to
 * the next key frame, and is ended when that does not help. Frames are held once, however many viewers wait for them.
 */
export class Hub {
  private readonly streams = new Map<string, Stream>();

  take({ kind, stream: name, bytes }: FrameRecord, now: number): void {
    const stream = this.find(name);
    if (kind === 'begin') this.begin(stream, bytes);
    else if (kind === 'end') {
      stream.sends = false;
      this.forget(stream);
    } else if (stream.begin) this.tag(stream, kind, bytes, now);
    if (!stream.sends && stream.watching.size === 0) this.streams.delete(name);
  }

  /** Watches a stream, from now or from when it begins. @returns what ends the watching */
  watch(name: string, viewer: Viewer): () => void {
    const stream = this.find(name);
    const watching: Watching = { viewer, skipsSince: null, begun: false, isNew: true, lent: 0 };
    stream.watching.add(watching);
    if (stream.begin && stream.sends) this.join(stream, watching);
    return () => {
      stream.watching.delete(watching);
      if (!stream.sends && stream.watching.size === 0 && this.streams.get(name) === stream) this.streams.delete(name);
    };
  }

  /** The ingest is gone with its clocks: everybody begins anew. */
  clear(): void {
    const all = [...this.streams.values()];
    this.streams.clear();
    for (const stream of all) for (const each of [...stream.watching]) this.end(stream, each, 'changed');
  }

  private find(name: string): Stream {
    const known = this.streams.get(name);
    if (known) return known;
    const stream = {
      begin: null,
      hasVideo: false,
      sends: false,
      kept: [],
      keptBytes: 0,
      watching: new Set<Watching>(),
    };
    this.streams.set(name, stream);
    return stream;
  }

  private begin(stream: Stream, begin: Buffer): void {
    const isOther = stream.begin !== null && !stream.begin.equals(begin);
    Object.assign(stream, { begin, hasVideo: hasVideo(begin), sends: true });
    this.forget(stream);
    for (const watching of [...stream.watching]) {
      if (!watching.begun) this.join(stream, watching);
      else if (isOther) this.end(stream, watching, 'changed');
      // The same codecs on the same clock: it goes on with the next key frame.
      else watching.isNew = true;
    }
  }

  private tag(stream: Stream, kind: 'key' | 'video' | 'audio', bytes: Buffer, now: number): void {
    const starts = kind === 'key' || !stream.hasVideo;
    if (starts) this.forget(stream);
    if (stream.hasVideo && (starts || stream.kept.length > 0)) {
      stream.kept.push(bytes);
      stream.keptBytes += bytes.length;
      // Whoever comes waits for the next key frame.
      if (stream.keptBytes > MOST_KEPT_BYTES || stream.kept.length > MOST_KEPT_TAGS) this.forget(stream);
    }
    for (const watching of [...stream.watching]) this.pass(stream, watching, bytes, starts, now);
  }

  private pass(stream: Stream, watching: Watching, bytes: Buffer, starts: boolean, now: number): void {
    if (watching.isNew && !starts) return;
    try {
      this.passOrSkip(stream, watching, bytes, starts, now);
    } catch {
      this.end(stream, watching, 'slow');
    }
  }

  private passOrSkip(stream: Stream, watching: Watching, bytes: Buffer, starts: boolean, now: number): void {
    const { viewer } = watching;
    const waiting = viewer.waiting();
    if (waiting <= MOST_WAITING / 2) watching.lent = 0;
    if (watching.skipsSince !== null) {
      if (!starts || waiting > MOST_WAITING / 2) {
        if (now - watching.skipsSince >= PATIENCE) this.end(stream, watching, 'slow');
        return;
      }
      watching.skipsSince = null;
    } else if (waiting > MOST_WAITING + watching.lent) {
      watching.skipsSince = now;
      return;
    }
    watching.isNew = false;
    viewer.send(bytes);
  }

  private join(stream: Stream, watching: Watching): void {
    const { begin, kept, keptBytes } = stream;
    if (!begin) return;
    watching.begun = true;
    watching.lent = begin.length + keptBytes;
    watching.isNew = stream.hasVideo && kept.length === 0;
    try {
      for (const bytes of [begin, ...kept]) watching.viewer.send(bytes);
    } catch {
      this.end(stream, watching, 'slow');
    }
  }

  /** What a viewer throws is its own trouble: it is nobody any more, and others see on. */
  private end(stream: Stream, watching: Watching, why: 'changed' | 'slow'): void {
    stream.watching.delete(watching);
    try {
      watching.viewer.end(why);
    } catch {}
  }

  private forget(stream: Stream): void {
    stream.kept = [];
    stream.keptBytes = 0;
  }
}
