import { type FileHandle, open } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';

/** Bytes read at once, and buffers that are kept for the next reads. */
const PIECE = 256 * 1024;
const MOST_FREE = 64;
const free: Buffer[] = [];

/**
 * A part of a file of this machine on its way to one reply. A stream of Node's own makes a new buffer for each piece, and the
 * collector then looks through all memory several times a second while films are sent: saves of exams would wait for that.
 * Here a buffer is used again as soon as the system has taken what was in it.
 */
export class FileBytes extends Readable {
  readonly #file: FileHandle;
  readonly #end: number;
  #at: number;

  private constructor(file: FileHandle, first: number, last: number) {
    super();
    this.#file = file;
    this.#at = first;
    this.#end = last + 1;
  }

  /** Opens the file: what is gone is an error before anything is promised. */
  static async open(path: string, { first, last }: { first: number; last: number }): Promise<FileBytes> {
    return new FileBytes(await open(path, 'r'), first, last);
  }

  override pipe<T extends NodeJS.WritableStream>(reply: T): T {
    this.#send(reply as unknown as Writable).then(
      (sent) => {
        if (!sent) return void this.destroy();
        reply.end();
        this.push(null);
        this.resume();
      },
      (error: Error) => this.destroy(error),
    );
    return reply;
  }

  /** @returns false when its reader has left */
  async #send(reply: Writable): Promise<boolean> {
    const { promise: left, resolve: leave } = Promise.withResolvers<'left'>();
    reply.once('close', () => leave('left'));
    const buffer = free.pop() ?? Buffer.allocUnsafeSlow(PIECE);
    while (this.#at < this.#end) {
      const { bytesRead } = await this.#file.read(buffer, 0, Math.min(PIECE, this.#end - this.#at), this.#at);
      if (bytesRead === 0) throw new Error('a stored file became shorter');
      this.#at += bytesRead;
      const taken = new Promise<Error | null | undefined>((resolve) => {
        reply.write(buffer.subarray(0, bytesRead), resolve);
      });
      const outcome = await Promise.race([taken, left]);
      // Whoever left may still have the buffer: it is not used again.
      if (outcome) return false;
    }
    if (free.length < MOST_FREE) free.push(buffer);
    return true;
  }

  override _read(): void {
    // It is only ever piped into a reply.
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#file.close().then(
      () => done(error),
      (failed: Error) => done(error ?? failed),
    );
  }
}
