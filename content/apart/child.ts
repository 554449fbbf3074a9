import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { FileRefused } from '#content/sheet/sheet.ts';
import type { Limits } from './limits.ts';
import type { Message, ReadApart } from './message.ts';

/**
 * The process that reads one file of a stranger (`read-apart.ts` starts it): `child.ts <what> <path> <limits>`. It has no settings,
 * no database and no secrets, and what it may take is bounded from outside of its own thread.
 */
const handedOn = new SharedArrayBuffer(4);
const results = new Int32Array(handedOn);

/** Results handed on at once. */
const AT_ONCE = 100;

// Ctrl-C reaches every process of the terminal; the one that imports decides.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(1));

const [what = '', path = '', limits = ''] = process.argv.slice(2);
const watchdog = new Worker(new URL('./watchdog.ts', import.meta.url), {
  workerData: { handedOn, limits: JSON.parse(limits) as Limits },
});
watchdog.unref();

let taken: Promise<unknown> = Promise.resolve();
/** Says something as soon as what was said before was taken. */
async function say(message: Message): Promise<void> {
  await taken;
  taken = once(process, 'message');
  await new Promise((resolve) => process.send?.(message, resolve));
  Atomics.add(results, 0, 1);
}

/** A row with pictures is handed on by itself, so that they are not held together. */
const isHeavy = (result: unknown) =>
  typeof result === 'object' &&
  result !== null &&
  'pictures' in result &&
  Array.isArray(result.pictures) &&
  result.pictures.length > 0;

async function run(what: keyof ReadApart, path: string): Promise<void> {
  const [{ readers }] = await Promise.all([import('./readers.ts'), once(watchdog, 'online')]);
  const notes: string[] = [];
  let batch: unknown[] = [];
  const handOn = async () => {
    const results = batch;
    batch = [];
    await say({ says: 'results', results, notes: notes.splice(0) });
  };
  for await (const result of readers[what](path, notes, (file) => say({ says: 'at', file }))) {
    batch.push(result);
    if (batch.length >= AT_ONCE || isHeavy(result)) await handOn();
  }
  await handOn();
}

try {
  await run(what as keyof ReadApart, path);
  await say({ says: 'end' });
} catch (error) {
  if (error instanceof FileRefused) await say({ says: 'refused', why: error.message });
  else {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    await say({ says: 'failed', message, code });
  }
}
await taken;
process.exit(0);
