import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';

const pack = promisify(deflateRaw);

/** A part of an answer that many get alike: its bytes, and the same compressed, which is made once, beside the loop, when it is first wanted. */
export class KeptText {
  readonly bytes: Buffer;
  #packed: Promise<Buffer> | null = null;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
  }

  /** Blocks of RFC 1951 without a last one, ending on a whole byte, so that others can stand before and behind them. */
  packed(): Promise<Buffer> {
    this.#packed ??= pack(this.bytes, { finishFlush: constants.Z_SYNC_FLUSH }).catch((error: unknown) => {
      this.#packed = null;
      throw error;
    });
    return this.#packed;
  }
}

/** The bytes of all parts behind each other. */
export const bytesOf = (parts: readonly (Buffer | KeptText)[]): Buffer =>
  Buffer.concat(parts.map((part) => (part instanceof KeptText ? part.bytes : part)));

/** Method deflate, no name, no time, of no particular system (RFC 1952 §2.3). */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** A last block with nothing in it. */
const LAST = Buffer.from([1, 0, 0, 0xff, 0xff]);
const LONGEST_BLOCK = 0xffff;

/** Bytes as blocks that are not compressed (RFC 1951 §3.2.4). */
function stored(bytes: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += LONGEST_BLOCK) {
    const part = bytes.subarray(at, at + LONGEST_BLOCK);
    const head = Buffer.alloc(5);
    head.writeUInt16LE(part.length, 1);
    head.writeUInt16LE(~part.length & 0xffff, 3);
    blocks.push(head, part);
  }
  return blocks;
}

/** One gzip file of parts that are compressed already and of bytes that are not worth it: nothing is compressed for one answer. */
export async function gzipOf(parts: readonly (Buffer | KeptText)[]): Promise<Buffer> {
  const packed = await Promise.all(parts.map((part) => (part instanceof KeptText ? part.packed() : stored(part))));
  const tail = Buffer.alloc(8);
  let sum = 0;
  let length = 0;
  for (const part of parts) {
    const bytes = part instanceof KeptText ? part.bytes : part;
    sum = crc32(bytes, sum);
    length += bytes.length;
  }
  tail.writeUInt32LE(sum);
  tail.writeUInt32LE(length >>> 0, 4);
  return Buffer.concat([HEAD, ...packed.flat(), LAST, tail]);
}
