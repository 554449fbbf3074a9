import type { UnsentAnswer } from './answers-state.ts';
import { atMostASecond, type UnsentStore } from './unsent.ts';

/**
 * The one place that writes the answers of a running exam to this browser's disk: each change once, and its removal once,
 * in the order in which they were asked for. A disk that fails, is full or hangs stops nothing.
 */
interface AnswerDisk {
  /** Puts a change on the disk; one that was put or removed before, or is older than what was, is not put again. */
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
  done: Promise<unknown>;
}

export function answerDisk(store: UnsentStore): AnswerDisk {
  /** The latest that was asked of the store for each question. */
  const written = new Map<number, Written>();
  const note = ({ questionId, seq }: UnsentAnswer, removed: boolean, work: Promise<void>) => {
    const done = work.catch(() => undefined);
    written.set(questionId, { seq, removed, done });
    return done;
  };
  const settled = async (work: Promise<unknown> | undefined) => {
    await atMostASecond(work ?? Promise.resolve(), null);
  };
  return {
    put(answer) {
      const latest = written.get(answer.questionId);
      if (latest && latest.seq >= answer.seq) return;
      void note(answer, false, store.put(answer));
    },
    remove(answer) {
      const latest = written.get(answer.questionId);
      if (latest?.removed && latest.seq >= answer.seq) return settled(latest.done);
      // The newer one that is there stays, and stays the latest.
      if (latest && latest.seq > answer.seq) return settled(store.remove(answer));
      return settled(note(answer, true, store.remove(answer)));
    },
    stored: ({ questionId }) => settled(written.get(questionId)?.done),
    clear: () => settled(store.clear()),
  };
}
