import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { oldHeader, withSum, writeOldTar } from './old-tar.test-kit.ts';
import { BrokenArchive, readPackedTar, readTar, type TarEntry, writeTar } from './tar.ts';

const home = mkdtempSync(join(tmpdir(), 'lixue-tar-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const MTIME = Date.UTC(2026, 10, 20);
const MB = 1024 ** 2;
type Files = Readonly<Record<string, string | Uint8Array>>;

async function* entriesOf(files: Files): AsyncGenerator<TarEntry> {
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    yield { name, size: bytes.byteLength, body: piecesOf(bytes) };
  }
}

async function* piecesOf(bytes: Uint8Array, length = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += length) yield bytes.subarray(at, at + length);
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** Every file of an archive, whole; `length` is that of the pieces in which the archive comes. */
async function read(archive: Uint8Array, length?: number): Promise<[string, string][]> {
  const files: [string, string][] = [];
  for await (const { name, size, body } of readTar(piecesOf(archive, length))) {
    const bytes = await bytesOf(body);
    expect(bytes.byteLength).toBe(size);
    files.push([name, bytes.toString('latin1')]);
  }
  return files;
}

const asRead = (files: Files) =>
  Object.entries(files).map(([name, content]) => [name, Buffer.from(content).toString('latin1')]);

const LONG_CHINESE = `files/${'很长的中文文件夹'.repeat(8)}/${'很长的中文文件名'.repeat(8)}.mp4`;
const FILES: Files = {
  'backup.json': '{}',
  'empty.svg': '',
  'block.bin': randomBytes(512),
  'large.bin': randomBytes(3 * MB + 17),
  'files/高等数学 第一章.mp4': '课',
  [LONG_CHINESE]: '长',
  [`${'deep/'.repeat(60)}file`]: 'deep',
};

describe('an archive', () => {
  it.each([1, 511, 512, 513, 100_000])('is read as it was written, in pieces of %d bytes', async (length) => {
    const files = length === 1 ? { a: 'a', [LONG_CHINESE]: '长' } : FILES;
    expect(await read(await bytesOf(writeTar(entriesOf(files), MTIME)), length)).toEqual(asRead(files));
  });

  it('is understood by the system’s tar', async () => {
    const path = join(home, 'written.tar');
    writeFileSync(path, await bytesOf(writeTar(entriesOf(FILES), MTIME)));
    const into = join(home, 'written');
    mkdirSync(into);
    expect(spawnSync('tar', ['-xf', path, '-C', into], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    for (const [name, content] of Object.entries(FILES))
      expect(readFileSync(join(into, name)).equals(Buffer.from(content)), name).toBe(true);
  });

  it.each(['ustar', 'gnu', 'pax'])('of the system’s tar is read: %s', async (format) => {
    const from = join(home, `from-${format}`);
    const files: Files = {
      'a.txt': 'a',
      '高等数学.txt': '课',
      ...(format === 'ustar' ? {} : { [`${'长'.repeat(80)}`]: 'x' }),
    };
    mkdirSync(join(from, 'folder'), { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(from, name), content);
    symlinkSync('/etc/passwd', join(from, 'link'));
    const path = join(home, `${format}.tar`);
    expect(spawnSync('tar', [`--format=${format}`, '-cf', path, '-C', from, '.'], { encoding: 'utf8' }).status).toBe(0);
    const found = (await read(readFileSync(path))).map(([name, text]) => [name.replace('./', ''), text]);
    expect(new Map(found as [string, string][])).toEqual(new Map(asRead(files) as [string, string][]));
  });

  it('of the old writer is read', async () => {
    const known: Files = { 'backup.json': '{"format":1}', 'lixue.db': 'x'.repeat(1500), 'files/ab/empty.svg': '' };
    const archive = await bytesOf(writeOldTar(entriesOf(known), 1_700_000_000_000));
    // The bytes that the old writer gave for this, before it left the program.
    expect(createHash('sha256').update(archive).digest('hex')).toBe(
      '270ea67feb1beea728459fb4bad1d3513aed9c400bc677e53bfd5e84110e50a4',
    );
    expect(await read(archive)).toEqual(asRead(known));
  });

  it.each([
    ['of now', (name: string, size: number) => writeTar(huge(name, size), MTIME)],
    ['of the old writer', (name: string, size: number) => writeOldTar(huge(name, size), MTIME)],
  ])('with a file of more than 8 GB says its size: %s', async (_writer, write) => {
    const size = 9 * 1024 ** 3;
    for await (const entry of readTar(write('lixue.db', size))) {
      expect([entry.name, entry.size]).toEqual(['lixue.db', size]);
      break;
    }
  });

  async function* huge(name: string, size: number): AsyncGenerator<TarEntry> {
    yield { name, size, body: endlessBytes() };
  }

  async function* endlessBytes(): AsyncGenerator<Uint8Array> {
    for (;;) yield new Uint8Array(MB);
  }

  it.each([
    [10, 9],
    [10, 11],
  ])('is not written when a file of %d bytes has become one of %d', async (size, length) => {
    async function* changed(): AsyncGenerator<TarEntry> {
      yield { name: 'lixue.db', size, body: piecesOf(new Uint8Array(length)) };
    }
    await expect(bytesOf(writeTar(changed(), MTIME))).rejects.toThrow(/lixue\.db/);
  });

  it('passes on the error of what it is made of, and of what it is read from', async () => {
    const unreadable = Object.assign(new Error('the disk'), { code: 'EIO' });
    async function* broken(): AsyncGenerator<never> {
      yield* [];
      throw unreadable;
    }
    async function* unreadableEntry(): AsyncGenerator<TarEntry> {
      yield { name: 'a', size: 1, body: broken() };
    }
    await expect(bytesOf(writeTar(unreadableEntry(), MTIME))).rejects.toBe(unreadable);
    await expect(bytesOf(writeTar(broken(), MTIME))).rejects.toBe(unreadable);
    await expect(bytesOf(readTar(broken()) as never)).rejects.toBe(unreadable);
    await expect(bytesOf(readPackedTar(join(home, 'none.tar.gz')) as never)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is held in memory in neither direction', async () => {
    const size = 300 * MB;
    let made = 0;
    let taken = 0;
    let lead = 0;
    async function* body(): AsyncGenerator<Uint8Array> {
      for (; made < size; made += MB) {
        lead = Math.max(lead, made - taken);
        yield new Uint8Array(MB);
      }
    }
    async function* largeEntry(): AsyncGenerator<TarEntry> {
      yield { name: 'video.mp4', size, body: body() };
    }
    for await (const entry of readTar(writeTar(largeEntry(), MTIME)))
      for await (const piece of entry.body) taken += piece.byteLength;
    expect(taken).toBe(size);
    expect(lead).toBeLessThan(20 * MB);
  });

  it('closes what it reads when it is given up in its middle', async () => {
    let closed = 0;
    async function* body(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new Uint8Array(MB);
      } finally {
        closed += 1;
      }
    }
    async function* endless(): AsyncGenerator<TarEntry> {
      try {
        yield { name: 'endless', size: 1e12, body: body() };
      } finally {
        closed += 1;
      }
    }
    for await (const piece of writeTar(endless(), MTIME)) if (piece.byteLength > 512) break;
    expect(closed).toBe(2);
    for await (const { body } of readTar(writeTar(endless(), MTIME))) {
      for await (const _ of body) break;
      break;
    }
    await vi.waitFor(() => expect(closed).toBe(4));
  });

  it.each([3, 600, MB])('passes over what was left of an entry of %d bytes', async (size) => {
    const files = Object.fromEntries('abcdefgh'.split('').map((name) => [name, randomBytes(size)]));
    const archive = await bytesOf(writeTar(entriesOf(files), MTIME));
    const names: string[] = [];
    for await (const { name, body } of readTar(piecesOf(archive))) {
      names.push(name);
      if (name === 'b') for await (const _ of body) break;
      if (name === 'd' || name === 'h') expect((await bytesOf(body)).equals(files[name] ?? Buffer.of())).toBe(true);
    }
    expect(names.join('')).toBe('abcdefgh');
  });
});

describe('a hostile or broken archive', () => {
  const header = (change: (block: Buffer) => void) => {
    const block = oldHeader('a', 10, MTIME);
    change(block);
    return withSum(block);
  };
  const END = Buffer.alloc(1024);
  const CONTENT = Buffer.concat([Buffer.from('0123456789'), Buffer.alloc(502)]);
  const good = Buffer.concat([oldHeader('a', 10, MTIME), CONTENT, END]);

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('hello'.repeat(500))],
    ['cut in a header', good.subarray(0, 300)],
    ['cut after a header', good.subarray(0, 512)],
    ['cut in a file', good.subarray(0, 517)],
    ['cut in the padding', good.subarray(0, 900)],
    ['cut before its end', good.subarray(0, 1024)],
    ['cut in its end', good.subarray(0, 1536)],
    ['a flipped bit in a header', Buffer.concat([flipped(good.subarray(0, 512), 3), CONTENT, END])],
    ['a size that is no number', Buffer.concat([header((block) => block.write('9999zzzz', 124)), CONTENT, END])],
    ['a size below zero', Buffer.concat([header((block) => block.fill(0xff, 124, 136)), CONTENT, END])],
    ['a size beyond all numbers', Buffer.concat([header((block) => block.fill(0x8f, 124, 136)), CONTENT, END])],
    ['a size that the archive does not have', Buffer.concat([oldHeader('a', 1e12, MTIME), CONTENT, END])],
    [
      'a long name of 4 GB',
      Buffer.concat([header((block) => block.write('L', 156) && block.write('40000000000', 124)), CONTENT, END]),
    ],
    ['something behind its end', Buffer.concat([good, oldHeader('b', 0, MTIME), END])],
  ])('is refused: %s', async (_what, archive) => {
    await expect(read(archive)).rejects.toThrow(BrokenArchive);
    await expect(read(archive, 100)).rejects.toThrow(BrokenArchive);
    const path = join(home, 'hostile.tar.gz');
    writeFileSync(path, gzipSync(archive));
    await expect(bytesOf(readPackedTar(path) as never)).rejects.toThrow(BrokenArchive);
  });

  it('that is no gzip, or cut in it, is refused', async () => {
    const packed = gzipSync(good);
    const path = join(home, 'no.tar.gz');
    for (const bytes of [
      Buffer.alloc(0),
      good,
      packed.subarray(0, 20),
      packed.subarray(0, -1),
      flipped(packed, packed.length - 6),
    ]) {
      writeFileSync(path, bytes);
      await expect(bytesOf(readPackedTar(path) as never)).rejects.toThrow(BrokenArchive);
    }
  });

  it('gives no links, folders or devices, whatever they are called', async () => {
    const special = ['1', '2', '3', '4', '5', '6'].map((kind) =>
      header((block) => {
        block.fill(0, 0, 100);
        block.write('files/x', 0);
        block.write(kind, 156);
        block.write('00000000000', 124);
        block.write('/etc/passwd', 157);
      }),
    );
    expect(await read(Buffer.concat([...special, good]))).toEqual([['a', '0123456789']]);
    expect(existsSync(join(home, 'files'))).toBe(false);
  });

  function flipped(bytes: Buffer, at: number): Buffer {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  }
});
