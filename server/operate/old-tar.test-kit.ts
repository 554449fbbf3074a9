import type { TarEntry } from './tar.ts';

const BLOCK = 512;
/** The largest size that eleven octal digits hold; larger ones are written as GNU tar does, in base 256. */
const MOST_OCTAL = 8 ** 11 - 1;

/**
 * The writer of backups up to November 2026, byte for byte: what schools have on their shelves was written by it, and has
 * to be read for as long as they keep it.
 */
export async function* writeOldTar(entries: AsyncIterable<TarEntry>, mtime: number): AsyncGenerator<Uint8Array> {
  for await (const { name, size, body } of entries) {
    yield oldHeader(name, size, mtime);
    yield* body;
    if (size % BLOCK > 0) yield new Uint8Array(BLOCK - (size % BLOCK));
  }
  yield new Uint8Array(2 * BLOCK);
}

/** The header that the old writer put before a file. */
export function oldHeader(name: string, size: number, mtime: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number) =>
    block.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1');
  block.write(name, 0, 'utf8');
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  if (size <= MOST_OCTAL) octal(size, 124, 12);
  else {
    block[124] = 0x80;
    block.writeBigUInt64BE(BigInt(size), 128);
  }
  octal(Math.floor(mtime / 1000), 136, 12);
  block.write('0', 156, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  return withSum(block);
}

/** Writes the checksum of a header into it: the sum of its bytes, with spaces where the sum itself stands. */
export function withSum(block: Buffer): Buffer {
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0`, 148, 'latin1');
  return block;
}
