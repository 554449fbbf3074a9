import { closeSync, fdatasync, fstatSync, openSync } from 'node:fs';

/**
 * Brings what was committed so far to the disk; resolves when it is there. A flush that was asked for after another one
 * never succeeds before it.
 */
export interface Flusher {
  flush(): Promise<void>;
  /** Bytes of the log file; 0 before the first flush. */
  size(): number;
  close(): void;
}

/** A flush has failed: what was committed since the last good one may not be on disk, and nobody can tell any more. */
export class LogLost extends Error {
  constructor(cause: unknown) {
    const reason = cause instanceof Error && cause.message ? cause.message : String(cause);
    super(`the database log could not be brought to the disk (${reason})`, { cause });
  }
}

/**
 * Brings SQLite's write-ahead log to the disk beside the event loop. SQLite would do it itself inside the commit
 * (`synchronous=FULL`), which is the same call on the same file, but stands still for it: on a slow disk every student
 * would wait for every commit. Calls that come while a flush runs share the next one, which begins after their commit.
 */
export function logFlusher(logPath: string): Flusher {
  let file: number | null = null;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  function sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      // The log is there from the first write on, and stays as long as a connection is open.
      file ??= openSync(logPath, 'r+');
      fdatasync(file, (error) => (error ? reject(error) : resolve()));
    });
  }

  function run(): Promise<void> {
    const own = sync().finally(() => {
      if (running === own) running = null;
    });
    running = own;
    return own;
  }

  return {
    flush: () => {
      if (running === null) return run();
      // A failure is told to those who wait for the next one too: their commit stands behind one that may be lost.
      next ??= running
        .finally(() => {
          next = null;
        })
        .then(run);
      return next;
    },
    size: () => (file === null ? 0 : fstatSync(file).size),
    close: () => {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

/**
 * A flusher that fails once and for all. Linux reports a write-back error once and then takes the pages for clean: the
 * next flush would succeed although the log never reached the disk, and an answer that stands in memory only would be
 * acknowledged. So nothing is acknowledged after the first failure; the process has to end and recover from what the
 * disk holds, as PostgreSQL does (decision 002).
 * @param failed told once
 */
export function failsForGood(flusher: Flusher, failed: (error: LogLost) => void): Flusher {
  let lost: LogLost | null = null;
  return {
    ...flusher,
    flush: async () => {
      if (lost) throw lost;
      try {
        await flusher.flush();
      } catch (error) {
        if (lost === null) {
          lost = new LogLost(error);
          failed(lost);
        }
        throw lost;
      }
      // A flush that was under way when another one failed proves nothing.
      if (lost) throw lost;
    },
  };
}
