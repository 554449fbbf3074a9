import { Worker } from 'node:worker_threads';

/** Keeps the write-ahead log short. */
export interface Checkpointer {
  /** Says that something was committed. `logBytes` is the size of the log file, looked at only when a pass may be due. */
  committed(logBytes: () => number): void;
  /** Whether the end of a long log waits to be copied (`finish`). */
  finishDue(): boolean;
  /** Copies what was written while the thread copied the rest; needs a moment without a transaction. */
  finish(): void;
  close(): Promise<void>;
}

/** Shorter logs are left alone: SQLite's own measure, 1,000 pages. */
const SHORT = 4 * 1024 * 1024;
/** Milliseconds between two passes. */
const PAUSE = 1000;
/** Pages in the log from which its end is copied too, so that it begins anew. */
const LONG = 4000;

/**
 * Copies the log back into the database beside the event loop. SQLite would do it inside some commit, which then takes as
 * long as the disk needs for thousands of scattered pages: on a slow disk seconds in which no answer is saved. The thread
 * starts when there is something to do.
 * @param copyRest copies what is left in the log, at once
 */
export function logCheckpointer(path: string, copyRest: () => void): Checkpointer {
  let worker: Worker | null = null;
  let busy = false;
  let last = performance.now();
  let long = false;

  function pass(): void {
    busy = true;
    if (worker === null) {
      worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: path });
      worker.unref();
      worker.on('message', (pages: number) => {
        busy = false;
        last = performance.now();
        long = pages > LONG;
      });
      // Without the thread SQLite's own limit still holds (`wal_autocheckpoint`); the next pass starts another.
      worker.on('error', () => {
        worker = null;
        busy = false;
        last = performance.now();
      });
    }
    worker.postMessage('pass');
  }

  return {
    committed: (logBytes) => {
      if (!busy && performance.now() - last > PAUSE && logBytes() > SHORT) pass();
    },
    finishDue: () => long,
    finish: () => {
      long = false;
      copyRest();
    },
    close: async () => {
      await worker?.terminate();
      worker = null;
    },
  };
}
