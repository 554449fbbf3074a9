import type { StreamWarning } from '#rules/live/codec.ts';
import { flvBeginning, flvTag } from './flv.ts';
import { type Codecs, type Frame, tagOf } from './publisher.ts';

/** One file of a recording. */
export interface PartFile {
  name: string;
  write(pieces: readonly Buffer[]): Promise<void>;
  /** Brings it to the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Where parts are written; tests have disks that fail. */
export interface PartDisk {
  open(): Promise<PartFile>;
  /** Bytes that are free. */
  free(): Promise<number>;
}

export interface RecorderWorld {
  disk: PartDisk;
  /** Bytes that stay free, whatever is recorded: exams are saved on the same disk. */
  keepFree: number;
  warn(what: StreamWarning): void;
  part(name: string, whole: boolean): void;
  /** Milliseconds. */
  now(): number;
}

/** Bytes that may wait for the disk. */
const MOST_WAITING = 8 * 1024 * 1024;
/** How often a part is brought to the disk, and the free space looked at (milliseconds). */
const SYNC_EVERY = 5000;
/** How long after trouble a new part is tried (milliseconds). */
const TRY_AGAIN_AFTER = 10_000;

/** A part that is being written. */
interface Part {
  /** The time of its first frame. */
  from: number;
  file: PartFile | null;
  broken: boolean;
}

type Work = { part: Part; bytes: Buffer } | { part: Part; bytes: null };

/**
 * Records one stream in parts, each an FLV that begins at 0 with a key frame and plays as far as it was written. Trouble with the disk
 * ends a part and never a lesson: it is told, and another part is tried later.
 */
export class Recorder {
  private codecs: Codecs | null = null;
  private part: Part | null = null;
  private work: Work[] = [];
  private waiting = 0;
  private skips = false;
  private tryAgainAt = Number.NEGATIVE_INFINITY;
  private lookedAt = Number.NEGATIVE_INFINITY;
  private syncedAt = Number.NEGATIVE_INFINITY;
  private running: Promise<void> | null = null;
  /** It stood still since it last said that it goes on. */
  private stopped = false;
  private readonly told = new Set<StreamWarning>();
  private readonly world: RecorderWorld;

  constructor(world: RecorderWorld) {
    this.world = world;
  }

  /** Other parameters, or the same of another encoder: what follows is a part of its own. */
  begin(codecs: Codecs): void {
    this.finish();
    this.told.clear();
    this.codecs = codecs;
  }

  /** The encoder's clock jumped: a part has one clock. */
  jump(): void {
    this.finish();
  }

  take({ track, time, key, data }: Frame): void {
    if (!this.codecs) return;
    const starts = key || this.codecs.video === null;
    if (this.skips && starts && this.waiting < MOST_WAITING / 2) this.skips = false;
    if (this.skips) return;
    if (this.waiting > MOST_WAITING) {
      this.skips = true;
      this.warn('recordingSlow');
      return;
    }
    if (!this.part || this.part.broken) {
      if (!starts || this.world.now() < this.tryAgainAt) return;
      this.part = { from: time, file: null, broken: false };
      this.add(this.part, flvBeginning(this.codecs));
    }
    this.add(this.part, flvTag(tagOf(track), Math.max(0, time - this.part.from), data));
  }

  /** Ends the part. What was taken is written. */
  finish(): void {
    if (this.part) this.add(this.part, null);
    this.part = null;
  }

  /** Waits until all that was taken is written. */
  async settled(): Promise<void> {
    await this.running;
  }

  private add(part: Part, bytes: Buffer | null): void {
    this.work.push({ part, bytes });
    this.waiting += bytes?.length ?? 0;
    this.running ??= this.run();
  }

  private async run(): Promise<void> {
    while (this.work.length > 0) {
      const all = this.work;
      this.work = [];
      // One write for all that came meanwhile, of each part by itself.
      for (let at = 0; at < all.length; ) {
        const { part } = all[at] as Work;
        const pieces: Buffer[] = [];
        let ends = false;
        for (; at < all.length && all[at]?.part === part && !ends; at += 1) {
          const { bytes } = all[at] as Work;
          if (bytes) pieces.push(bytes);
          else ends = true;
        }
        await this.write(part, pieces, ends);
        this.waiting -= pieces.reduce((sum, { length }) => sum + length, 0);
      }
    }
    // In the same moment as the last look: what comes next finds nobody at work.
    this.running = null;
  }

  /** Does not throw: trouble is told. */
  private async write(part: Part, pieces: readonly Buffer[], ends: boolean): Promise<void> {
    const { disk, keepFree } = this.world;
    try {
      const now = this.world.now();
      if (!part.broken && pieces.length > 0) {
        if (now - this.lookedAt >= SYNC_EVERY || !part.file) {
          this.lookedAt = now;
          if ((await disk.free()) < keepFree) {
            this.stop(part, 'recordingStopped');
            await this.close(part);
            return;
          }
        }
        if (!part.file) {
          part.file = await disk.open();
          this.world.part(part.file.name, false);
          this.syncedAt = now;
        }
        await part.file.write(pieces);
        if (now - this.syncedAt >= SYNC_EVERY) {
          this.syncedAt = now;
          await part.file.sync();
          this.goesOn();
        }
      }
      if (ends) await this.close(part);
    } catch {
      this.stop(part, 'recordingFailed');
      await this.close(part);
    }
  }

  private stop(part: Part, what: StreamWarning): void {
    part.broken = true;
    this.stopped = true;
    this.tryAgainAt = this.world.now() + TRY_AGAIN_AFTER;
    this.warn(what);
  }

  private async close(part: Part): Promise<void> {
    const { file } = part;
    part.file = null;
    if (!file) return;
    try {
      await file.sync();
    } catch {
      if (!part.broken) this.stop(part, 'recordingFailed');
    }
    // A file that cannot be closed is lost to nobody: what was written of it is there.
    await file.close().catch(() => undefined);
    this.world.part(file.name, true);
  }

  /** After trouble, once something is on the disk again: that is told, and trouble that comes after it too. */
  private goesOn(): void {
    if (!this.stopped) return;
    this.stopped = false;
    for (const what of ['recordingFailed', 'recordingStopped', 'recordingGap'] as const) this.told.delete(what);
    this.warn('recordingGap');
  }

  private warn(what: StreamWarning): void {
    if (this.told.has(what)) return;
    this.told.add(what);
    this.world.warn(what);
  }
}
