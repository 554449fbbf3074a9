import { parentPort } from 'node:worker_threads';
import { setFormula } from '#content/rich-text/set-formula.ts';

/** A thread that sets formulas, where nobody waits for it: a paper of 200 takes a fifth of a second. */
parentPort?.on('message', (sources: readonly string[]) => {
  parentPort?.postMessage(sources.map(setFormula));
});
