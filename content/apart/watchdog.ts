import { workerData } from 'node:worker_threads';
import type { Limits } from './limits.ts';

/**
 * A thread of the reading process that ends it when it takes too much. It stands beside the reader because a reader that
 * is busy hears nothing, and it asks for the memory of the whole process because the limits that Node has for its own heap
 * leave out buffers and what libraries hold. The signal says why: see `read-apart.ts`.
 */
const { handedOn, limits } = workerData as { handedOn: SharedArrayBuffer; limits: Limits };
const results = new Int32Array(handedOn);

/** Milliseconds between two looks: at most some dozen megabytes can be filled meanwhile. */
const EVERY = 15;

const work = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
let seen = Atomics.load(results, 0);
let since = work();

setInterval(() => {
  if (process.memoryUsage.rss() > limits.memoryMB * 1_000_000) process.kill(process.pid, 'SIGKILL');
  const now = Atomics.load(results, 0);
  if (now !== seen) {
    seen = now;
    since = work();
  } else if (work() - since > limits.workS) process.kill(process.pid, 'SIGALRM');
}, EVERY);
