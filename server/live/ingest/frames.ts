import { isStreamName } from '#rules/live/stream-key.ts';

/**
 * What goes by the pipe from the ingest to the server, which only these two have: `begin` is what every viewer gets first, the
 * others are whole FLV tags. All of one stream come in order.
 */
export interface FrameRecord {
  kind: 'begin' | 'key' | 'video' | 'audio' | 'end';
  stream: string;
  bytes: Buffer;
}

const kinds = ['begin', 'key', 'video', 'audio', 'end'] as const;
/** A message of the largest size with what stands around it. */
const LONGEST = 2 * 1024 * 1024 + 4096;
const NOTHING = Buffer.alloc(0);

export function writeRecord({ kind, stream, bytes }: FrameRecord): Buffer[] {
  const head = Buffer.alloc(6 + stream.length);
  head.writeUInt32BE(2 + stream.length + bytes.length);
  head[4] = kinds.indexOf(kind);
  head[5] = stream.length;
  head.write(stream, 6, 'latin1');
  return [head, bytes];
}

/** Reads records as they come. It does not throw, and holds one at most. */
export class RecordReader {
  private head = Buffer.alloc(4);
  private headCame = 0;
  private body: Buffer = NOTHING;
  private bodyCame = 0;

  /** @returns false: that is no record, and nothing after it can be understood */
  push(bytes: Buffer, take: (record: FrameRecord) => void): boolean {
    let at = 0;
    while (at < bytes.length) {
      if (this.headCame < 4) {
        const came = bytes.copy(this.head, this.headCame, at, at + 4 - this.headCame);
        this.headCame += came;
        at += came;
        if (this.headCame < 4) return true;
        const length = this.head.readUInt32BE();
        if (length < 3 || length > LONGEST) return false;
        // Its own memory: viewers may hold a tag for long, and must not hold what it came in.
        this.body = Buffer.allocUnsafeSlow(length);
        this.bodyCame = 0;
      }
      const came = bytes.copy(this.body, this.bodyCame, at, at + this.body.length - this.bodyCame);
      this.bodyCame += came;
      at += came;
      if (this.bodyCame < this.body.length) return true;
      const record = readBody(this.body);
      this.headCame = 0;
      this.body = NOTHING;
      if (!record) return false;
      take(record);
    }
    return true;
  }
}

function readBody(body: Buffer): FrameRecord | null {
  const kind = kinds[body[0] ?? kinds.length];
  const from = 2 + (body[1] ?? 0);
  const stream = body.toString('latin1', 2, from);
  if (kind === undefined || from > body.length || !isStreamName(stream)) return null;
  return { kind, stream, bytes: body.subarray(from) };
}
