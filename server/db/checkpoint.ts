import { Worker } from 'node:worker_threads';

/** Keeps the write-ahead log short. */
export interface Checkpointer {
  /** Says that something was committed. `logBytes` is the size of the log file, looked at only when a pass may be due. */
  committed(logBytes: () => number): void;
  /** Whether the end of a long log waits to be copied (`finish`). */
  finishDue(): boolean;
  /**
   * Has what was written copied while the thread copied the rest; needs a time without a transaction, which ends when
   * this resolves: soon, also where the disk takes longer.
   */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** Shorter logs are left alone: SQLite's own measure, 1,000 pages. */
const SHORT = 4 * 1024 * 1024;
/** Milliseconds between two passes. */
const PAUSE = 1000;
/** Pages in the log from which its end is copied too, so that it begins anew. */
const LONG = 4000;
/** Milliseconds for which transactions wait at most for the end of a log; it is tried again after the next pass. */
const FINISH_WITHIN = 1000;

/**
 * Copies the log back into the database beside the event loop. SQLite would do it inside some commit, which then takes as
 * long as the disk needs for thousands of scattered pages: on a slow disk seconds in which nothing at all is answered. The
 * thread starts when there is something to do.
 * @param failed told whenever the thread has failed, and `worked` when it has done a pass: SQLite's own copying, inside a
 *   commit, is for the time between
 */
export function logCheckpointer(path: string, failed: () => void, worked: () => void): Checkpointer {
  let worker: Worker | null = null;
  let busy = false;
  let passed: () => void = () => undefined;
  let last = performance.now();
  let long = false;
  let finishing = false;

  function pass(): void {
    busy = true;
    if (worker === null) {
      worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: path });
      worker.unref();
      worker.on('message', (pages: number) => {
        busy = false;
        last = performance.now();
        // Copied to its end, the log begins anew with the next transaction, however long it is now.
        long = pages > LONG && !finishing;
        finishing = false;
        worked();
        passed();
      });
      // The next pass starts another.
      worker.on('error', () => {
        worker = null;
        busy = false;
        finishing = false;
        last = performance.now();
        failed();
        passed();
      });
    }
    worker.postMessage('pass');
  }

  return {
    committed: (logBytes) => {
      if (!busy && performance.now() - last > PAUSE && logBytes() > SHORT) pass();
    },
    finishDue: () => long,
    finish: async () => {
      long = false;
      if (busy) return;
      finishing = true;
      let late: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        late = setTimeout(resolve, FINISH_WITHIN);
        passed = resolve;
        pass();
      });
      clearTimeout(late);
    },
    close: async () => {
      await worker?.terminate();
      worker = null;
    },
  };
}
