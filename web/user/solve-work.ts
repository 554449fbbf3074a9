/**
 * Finds the number that a challenge's work asks for (rules/user/work.ts), beside the page. Rejects when the browser cannot
 * or `signal` ends it.
 */
export function solveWork(work: { seed: string; bits: number }, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./work.worker.ts', import.meta.url), { type: 'module' });
    const end = () => {
      worker.terminate();
      reject(signal.reason);
    };
    signal.addEventListener('abort', end, { once: true });
    worker.onmessage = ({ data }: MessageEvent<number>) => {
      signal.removeEventListener('abort', end);
      worker.terminate();
      resolve(data);
    };
    worker.onerror = () => {
      worker.terminate();
      reject(new Error('the work cannot be done in this browser'));
    };
    worker.postMessage(work);
  });
}
