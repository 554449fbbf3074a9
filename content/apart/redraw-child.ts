import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Pixels, redrawn } from '#content/rich-text/picture.ts';
import type { Limits } from './limits.ts';

/**
 * The process that writes pictures of strangers anew, one after the other (`redraw-apart.ts` starts it). It has no settings, no database
 * and no secrets, and is ended from outside of its own thread when a picture takes too much.
 */
export interface AskedPicture {
  kind: Pixels;
  bytes: Uint8Array;
  square: number | undefined;
}

const handedOn = new SharedArrayBuffer(4);
const results = new Int32Array(handedOn);

// Ctrl-C reaches every process of the terminal; the server decides.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));

const watchdog = new Worker(new URL('./watchdog.ts', import.meta.url), {
  workerData: { handedOn, limits: JSON.parse(process.argv[2] ?? '') as Limits },
});
watchdog.unref();
const watched = once(watchdog, 'online');

process.on('message', (asked: AskedPicture) => {
  void (async () => {
    await watched;
    const done = await redrawn(asked.kind, asked.bytes, asked.square);
    Atomics.add(results, 0, 1);
    process.send?.(done);
  })();
});
