import { createReadStream } from 'node:fs';
import { ReadableStream as NodeStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';
import { createTarDecoder, createTarPacker, type TarPackController } from 'modern-tar';

/** One file of an archive: its bytes come as they are asked for, `size` of them in all. */
export interface TarEntry {
  name: string;
  size: number;
  body: AsyncIterable<Uint8Array>;
}

/** The archive is no archive, or ends in its middle. */
export class BrokenArchive extends Error {}

/**
 * Writes a tar archive that every tar can read (ustar; pax where a name or a size does not fit into it), holding some
 * megabytes of it at most.
 * @throws when a body is not as long as its entry says: it changed while it was being read
 */
export async function* writeTar(entries: AsyncIterable<TarEntry>, mtime: number): AsyncGenerator<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const packing = pack(entries, controller, new Date(mtime));
  try {
    yield* readable;
  } finally {
    // No file of an archive that is given up in its middle stays open.
    await packing;
  }
}

/** Hands the entries to the packer one by one; an error of theirs becomes the error of the archive. */
async function pack(entries: AsyncIterable<TarEntry>, archive: TarPackController, mtime: Date): Promise<void> {
  try {
    for await (const { name, size, body } of entries)
      await webStream(body).pipeTo(archive.add({ name, size, mtime, mode: 0o600, type: 'file' }));
    archive.finalize();
  } catch (error) {
    archive.error(error);
  }
}

/**
 * Reads a tar archive and gives its plain files; links, folders and devices are passed over. An entry's body has to be
 * read before the next entry is asked for; what was left of it is passed over.
 * @throws BrokenArchive
 */
export async function* readTar(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const entries = webStream(bytes).pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of orBroken(entries)) {
    if (header.type === 'file') yield { name: header.name, size: header.size, body: bytesOf(body) };
    // Read to its end, not cancelled: with the body of a small file modern-tar 0.8.6 would take away the next one's.
    for await (const _ of orBroken(body));
  }
}

async function* bytesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* orBroken(body.values({ preventCancel: true }));
}

/** Reads a .tar.gz. @throws BrokenArchive */
export async function* readPackedTar(path: string): AsyncGenerator<TarEntry> {
  const packed = createReadStream(path);
  const unpacked = createGunzip();
  packed.on('error', (error) => unpacked.destroy(error));
  try {
    yield* readTar(packed.pipe(unpacked));
  } finally {
    packed.destroy();
  }
}

/** Node's web stream, as the type that the library names: the two differ in a detail that nothing here uses. */
const webStream = (bytes: AsyncIterable<Uint8Array>) =>
  NodeStream.from(bytes) as ReadableStream<Uint8Array<ArrayBuffer>>;

/** Passes on what a stream of the library gives. Its error is the archive's fault, unless the disk could not be read. */
async function* orBroken<T>(stream: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* stream;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw /^E[A-Z]+$/.test(code) ? error : new BrokenArchive('not a whole archive', { cause: error });
  }
}
