/** One file of an archive: its bytes come as they are asked for, `size` of them in all. */
export interface TarEntry {
  name: string;
  size: number;
  body: AsyncIterable<Uint8Array>;
}

/** The archive is no archive, or ends in its middle. */
export class BrokenArchive extends Error {}

const BLOCK = 512;
/** The largest size that eleven octal digits hold; larger ones are written as GNU tar does, in base 256. */
const MOST_OCTAL = 8 ** 11 - 1;

/**
 * Writes a tar archive (POSIX.1-1988 ustar) that every tar can read: plain files, names of at most 100 bytes.
 * @throws when a body is not as long as its entry says
 */
export async function* writeTar(entries: AsyncIterable<TarEntry>, mtime: number): AsyncGenerator<Uint8Array> {
  for await (const { name, size, body } of entries) {
    yield header(name, size, mtime);
    let written = 0;
    for await (const piece of body) {
      written += piece.byteLength;
      yield piece;
    }
    if (written !== size) throw new Error(`${name} changed while it was being read`);
    if (size % BLOCK > 0) yield new Uint8Array(BLOCK - (size % BLOCK));
  }
  yield new Uint8Array(2 * BLOCK);
}

function header(name: string, size: number, mtime: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > 100) throw new Error(`too long a name for the archive: ${name}`);
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
  octal(sumOf(block), 148, 7);
  block[155] = 0x20;
  return block;
}

/** The checksum of a header: its bytes, with spaces where the sum itself stands. */
function sumOf(block: Buffer): number {
  let sum = 0;
  for (let at = 0; at < BLOCK; at += 1) sum += at >= 148 && at < 156 ? 0x20 : (block[at] ?? 0);
  return sum;
}

/**
 * Reads a tar archive of plain files. An entry's body has to be read before the next entry is asked for; what was left
 * of it is passed over.
 * @throws BrokenArchive
 */
export async function* readTar(stream: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const source = byteSource(stream);
  for (;;) {
    const block = await source.exactly(BLOCK);
    if (block.every((byte) => byte === 0)) {
      // The rest is padding. Reading it to the end lets the unpacking check its own sum.
      await source.drain();
      return;
    }
    if (Number.parseInt(text(block, 148, 8), 8) !== sumOf(block)) throw new BrokenArchive('wrong checksum of a header');
    const size = block[124] === 0x80 ? Number(block.readBigUInt64BE(128)) : Number.parseInt(text(block, 124, 12), 8);
    const kind = text(block, 156, 1);
    if (!Number.isSafeInteger(size) || size < 0) throw new BrokenArchive('wrong size of an entry');
    const part = source.part(size);
    if (kind === '0' || kind === '') yield { name: text(block, 0, 100), size, body: part.body };
    await part.skip();
    await source.part((BLOCK - (size % BLOCK)) % BLOCK).skip();
  }
}

const text = (block: Buffer, at: number, length: number) =>
  block
    .toString('utf8', at, at + length)
    .replace(/\0.*$/s, '')
    .trim();

function byteSource(stream: AsyncIterable<Uint8Array>) {
  const pieces = stream[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);
  const more = async () => {
    if (rest.byteLength > 0) return rest;
    const next = await pieces.next();
    if (next.done) throw new BrokenArchive('the archive ends in its middle');
    return next.value;
  };
  const part = (size: number) => {
    let left = size;
    const take = async () => {
      const piece = await more();
      const taken = piece.subarray(0, left);
      rest = piece.subarray(taken.byteLength);
      left -= taken.byteLength;
      return taken;
    };
    async function* body(): AsyncGenerator<Uint8Array> {
      while (left > 0) yield await take();
    }
    return {
      body: body(),
      async skip(): Promise<void> {
        while (left > 0) await take();
      },
    };
  };
  return {
    part,
    async exactly(size: number): Promise<Buffer> {
      const taken: Uint8Array[] = [];
      for await (const piece of part(size).body) taken.push(piece);
      return Buffer.concat(taken);
    },
    async drain(): Promise<void> {
      rest = new Uint8Array(0);
      while (!(await pieces.next()).done);
    },
  };
}
