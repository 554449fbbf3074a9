import type { UnsentAnswer } from './answers-state.ts';
import { atMostASecond, PATIENCE, type UnsentStore } from './unsent.ts';

/**
 * The one place that writes the answers of a running exam to this browser's disk: each change once, and its removal once,
 * in the order in which they were asked for. A disk that fails, is full or hangs stops nothing; that it did is told.
 */
interface AnswerDisk {
  /**
   * Puts a change on the disk; one that was put or removed before, or is older than what was, is not put again, unless it did
   * not get there.
   */
  put(answer: UnsentAnswer): void;
  /** Takes an answer and everything older of its question off the disk. Resolves when it is gone, after a second at most. */
  remove(answer: UnsentAnswer): Promise<void>;
  /** Resolves when this answer is on the disk, after a second at most: then it may leave for the server. */
  stored(answer: UnsentAnswer): Promise<void>;
  /** Takes everything of the record off the disk. Resolves when it is gone, after a second at most. */
  clear(): Promise<void>;
}

interface Written {
  seq: number;
  removed: boolean;
  /** It was put, and it is certain that it is not there. */
  lost: boolean;
  done: Promise<unknown>;
}

/**
 * @param told whether an answer that was put is on the disk: read back from there, or not. Where the disk takes longer than a
 * second it says no first, and what it came to when it is done
 */
export function answerDisk(store: UnsentStore, told: (answer: UnsentAnswer, kept: boolean) => void): AnswerDisk {
  /** The latest that was asked of the store for each question. */
  const written = new Map<number, Written>();
  const settled = async (work: Promise<unknown> | undefined) => {
    await atMostASecond(work ?? Promise.resolve(), null);
  };
  return {
    put(answer) {
      const { questionId, seq } = answer;
      const latest = written.get(questionId);
      if (latest && (latest.seq > seq || (latest.seq === seq && !latest.lost))) return;
      const late = setTimeout(told, PATIENCE, answer, false);
      const entry: Written = { seq, removed: false, lost: false, done: Promise.resolve() };
      entry.done = store
        .put(answer)
        .catch(() => false)
        .then((kept) => {
          clearTimeout(late);
          entry.lost = !kept;
          told(answer, kept);
        });
      written.set(questionId, entry);
    },
    remove(answer) {
      const { questionId, seq } = answer;
      const latest = written.get(questionId);
      if (latest?.removed && latest.seq >= seq) return settled(latest.done);
      // The newer one that is there stays, and stays the latest.
      if (latest && latest.seq > seq) return settled(store.remove(answer));
      const done = store.remove(answer).catch(() => undefined);
      written.set(questionId, { seq, removed: true, lost: false, done });
      return settled(done);
    },
    stored: ({ questionId }) => settled(written.get(questionId)?.done),
    clear: () => settled(store.clear()),
  };
}
