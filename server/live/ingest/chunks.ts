/** Kinds of messages (RTMP 1.0 §5.4, §7.1). */
export const KIND = {
  chunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  userControl: 4,
  windowSize: 5,
  peerBandwidth: 6,
  audio: 8,
  video: 9,
  amf3Data: 15,
  amf3Command: 17,
  data: 18,
  command: 20,
} as const;

/** One message of RTMP. */
export interface RtmpMessage {
  kind: number;
  /** Milliseconds, 32 bits. */
  time: number;
  body: Buffer;
}

/** What a sender may make us remember. */
interface ChunkBounds {
  /** Bytes of one message. */
  message: number;
  /** Bytes of all messages that are not whole yet. */
  unfinished: number;
}

/** Nobody needs more before the right key was shown. */
export const BEFORE_KEY: ChunkBounds = { message: 16 * 1024, unfinished: 64 * 1024 };
/** A picture of 2 MB is one of 16 Mbit in a frame. */
export const AFTER_KEY: ChunkBounds = { message: 2 * 1024 * 1024, unfinished: 4 * 1024 * 1024 };
const MOST_STREAMS = 8;

/** Why bytes are no chunks that are taken here. */
type ChunkFault = 'tooLarge' | 'tooManyStreams' | 'noHeader' | 'chunkSize';

/** A message on its way in. */
interface Stream {
  time: number;
  delta: number;
  length: number;
  kind: number;
  /** What its last header said behind 0xffffff; null: nothing. */
  extended: number | null;
  /** Room for what came of the message, which grows with it: a length that is only announced takes none. */
  room: Buffer;
  came: number;
  /** A message was begun and is not whole. */
  begun: boolean;
}

const HEADER_BYTES = [11, 7, 3, 0] as const;
const EXTENDED = 0xffffff;
const FIRST_ROOM = 4096;
const NOTHING = Buffer.alloc(0);

/**
 * Reads chunks (RTMP 1.0 §5.3) as they come, in pieces of any size. It does not throw, keeps at most what its bounds say, and after
 * a fault takes nothing more.
 */
export class ChunkReader {
  bounds: ChunkBounds = BEFORE_KEY;
  private chunkSize = 128;
  private readonly streams = new Map<number, Stream>();
  private rest: Buffer = NOTHING;
  private unfinished = 0;
  private fault: ChunkFault | null = null;
  /** The chunk whose bytes are coming, and how many are missing. */
  private current: { stream: Stream; missing: number } | null = null;

  /**
   * Takes what came. Messages that came before a fault are handed out; `take` may say that nothing more is wanted.
   * @returns the fault, or null
   */
  push(bytes: Buffer, take: (message: RtmpMessage) => boolean): ChunkFault | null {
    let input = this.rest.length > 0 ? Buffer.concat([this.rest, bytes]) : bytes;
    this.rest = NOTHING;
    while (this.fault === null && input.length > 0) {
      if (!this.current) {
        const used = this.header(input);
        if (this.fault !== null) break;
        if (used === 0) {
          // At most a header: 18 bytes. Copied, so that what it was cut from is free.
          this.rest = Buffer.from(input);
          return null;
        }
        input = input.subarray(used);
      }
      const { current } = this;
      if (!current) continue;
      const piece = input.subarray(0, current.missing);
      input = input.subarray(piece.length);
      this.put(current.stream, piece);
      current.missing -= piece.length;
      if (current.missing > 0) return this.fault;
      this.current = null;
      const message = this.whole(current.stream);
      if (message && this.obey(message) && !take(message)) return null;
    }
    return this.fault;
  }

  /** Reads the header of a chunk. @returns how many bytes it has; 0: it has not come whole */
  private header(input: Buffer): number {
    const first = input[0] ?? 0;
    const format = (first >> 6) as 0 | 1 | 2 | 3;
    const basic = (first & 0x3f) > 1 ? 1 : (first & 0x3f) + 2;
    const size = HEADER_BYTES[format];
    if (input.length < basic + size) return 0;
    const id = basic === 1 ? first & 0x3f : 64 + (input[1] ?? 0) + (basic === 3 ? (input[2] ?? 0) * 256 : 0);
    const known = this.streams.get(id);
    if (!known && format !== 0) return this.stop('noHeader');
    const named = size > 0 ? input.readUIntBE(basic, 3) : null;
    let used: number = basic + size;
    let extended = known?.extended ?? null;
    if (named !== null) {
      extended = null;
      if (named === EXTENDED) {
        if (input.length < used + 4) return 0;
        extended = input.readUInt32BE(used);
        used += 4;
      }
    } else if (extended !== null) {
      // It is repeated before each chunk; some senders do not, and their next bytes are another number.
      if (input.length < used + 4) return 0;
      if (input.readUInt32BE(used) === extended) used += 4;
    }
    const length = size >= 7 ? input.readUIntBE(basic + 3, 3) : (known?.length ?? 0);
    const kind = size >= 7 ? (input[basic + 6] ?? 0) : (known?.kind ?? 0);
    if (length > this.bounds.message) return this.stop('tooLarge');
    if (!known && this.streams.size >= MOST_STREAMS) return this.stop('tooManyStreams');
    const stream = known ?? {
      ...{ time: 0, delta: 0, length: 0, kind: 0, extended: null, room: NOTHING, came: 0, begun: false },
    };
    this.streams.set(id, stream);
    // A header that interrupts a message begins another one in its place.
    if (format !== 3 && stream.begun) this.drop(stream);
    if (!stream.begun) {
      const time = named === null ? null : (extended ?? named);
      if (format === 0) stream.time = time ?? 0;
      // After a whole header its time counts as the step of those that follow without one (§5.3.1.2.4).
      if (time !== null) stream.delta = time;
      if (format !== 0) stream.time = (stream.time + stream.delta) >>> 0;
      Object.assign(stream, { length, kind, extended, begun: true, came: 0 });
    }
    this.current = { stream, missing: Math.min(this.chunkSize, stream.length - stream.came) };
    return used;
  }

  private put(stream: Stream, piece: Buffer): void {
    if (piece.length === 0) return;
    const needed = stream.came + piece.length;
    this.unfinished += piece.length;
    if (this.unfinished > this.bounds.unfinished) {
      this.stop('tooLarge');
      return;
    }
    if (needed > stream.room.length) {
      const room = Buffer.allocUnsafeSlow(
        Math.min(stream.length, Math.max(needed, stream.room.length * 2, FIRST_ROOM)),
      );
      stream.room.copy(room, 0, 0, stream.came);
      stream.room = room;
    }
    piece.copy(stream.room, stream.came);
    stream.came = needed;
  }

  private drop(stream: Stream): void {
    this.unfinished -= stream.came;
    Object.assign(stream, { room: NOTHING, came: 0, begun: false });
  }

  private whole(stream: Stream): RtmpMessage | null {
    if (this.fault !== null || stream.came < stream.length) return null;
    const message = { kind: stream.kind, time: stream.time, body: stream.room.subarray(0, stream.came) };
    this.drop(stream);
    return message;
  }

  /** Does what is said to the reader itself. @returns whether others want the message */
  private obey({ kind, body }: RtmpMessage): boolean {
    if (kind === KIND.chunkSize) {
      const size = body.length >= 4 ? body.readUInt32BE() : 0;
      if (size < 1 || size > 0x7fffffff) this.stop('chunkSize');
      else this.chunkSize = size;
      return false;
    }
    if (kind === KIND.abort) {
      const stream = body.length >= 4 ? this.streams.get(body.readUInt32BE()) : undefined;
      if (stream?.begun) this.drop(stream);
      return false;
    }
    return true;
  }

  private stop(fault: ChunkFault): 0 {
    this.fault = fault;
    for (const stream of this.streams.values()) this.drop(stream);
    this.current = null;
    this.rest = NOTHING;
    return 0;
  }
}

/** The size of the chunks that we send, said before the first message that is longer. */
export const OWN_CHUNK_SIZE = 4096;

/** One message as chunks of one size, the way we and the encoders of tests send it: a whole header, then none. */
export function writeChunks(
  { kind, time, body }: RtmpMessage,
  { id, stream = 0, chunkSize = OWN_CHUNK_SIZE }: { id: number; stream?: number; chunkSize?: number },
): Buffer {
  const late = time >= EXTENDED;
  const extended = Buffer.alloc(late ? 4 : 0);
  if (late) extended.writeUInt32BE(time >>> 0);
  const header = Buffer.alloc(12);
  header[0] = id;
  header.writeUIntBE(late ? EXTENDED : time, 1, 3);
  header.writeUIntBE(body.length, 4, 3);
  header[7] = kind;
  header.writeUInt32LE(stream, 8);
  const pieces: Buffer[] = [header, extended];
  for (let at = 0; at < body.length || at === 0; at += chunkSize) {
    if (at > 0) pieces.push(Buffer.of(0xc0 | id), extended);
    pieces.push(body.subarray(at, at + chunkSize));
  }
  return Buffer.concat(pieces);
}
