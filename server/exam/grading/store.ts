import type { Closed } from '#contract/values/exam.ts';
import { type Graded, tally } from '#rules/exam/scoring.ts';
import type { Db, Trx } from '#server/db/open.ts';
import { Prepared } from '#server/db/prepared.ts';
import { gradedToJson } from '../record/graded-store.ts';

/** How a record ends. */
interface Ending {
  closed: Closed;
  submittedAt: number;
  /** Seconds spent. */
  totalTime: number;
}

/** Writes what grading gave; the record is locked by the transaction. */
export interface GradingStore {
  /** Ends a record with its graded questions. */
  close(trx: Trx, recordId: number, ending: Ending, graded: ReadonlyMap<number, Graded>): Promise<void>;
  /** Writes the graded questions of a closed record anew. */
  regrade(trx: Trx, recordId: number, graded: ReadonlyMap<number, Graded>): Promise<void>;
}

/** Makes the store of results; the statement that ends a record is compiled once. */
export function gradingStore(db: Db): GradingStore {
  const close = new Prepared<never>(
    () =>
      db.query
        .updateTable('exam_records')
        .set({
          submitted_at: 0,
          closed: '',
          total_time: 0,
          score: 0,
          right_count: 0,
          wrong_count: 0,
          unanswered_count: 0,
          pending_count: 0,
          graded: '',
        })
        .where('id', '=', 0) as never,
  );
  return {
    close: async (trx, recordId, { closed, submittedAt, totalTime }, graded) => {
      const { score, rightCount, wrongCount, unansweredCount, pendingCount } = tally(graded.values());
      await close.run(trx, [
        submittedAt,
        closed,
        totalTime,
        score,
        rightCount,
        wrongCount,
        unansweredCount,
        pendingCount,
        gradedToJson(graded),
        recordId,
      ]);
    },
    regrade: async (trx, recordId, graded) => {
      const { score, rightCount, wrongCount, unansweredCount, pendingCount } = tally(graded.values());
      await trx
        .updateTable('exam_records')
        .set({
          graded: gradedToJson(graded),
          score,
          right_count: rightCount,
          wrong_count: wrongCount,
          unanswered_count: unansweredCount,
          pending_count: pendingCount,
        })
        .where('id', '=', recordId)
        .execute();
    },
  };
}
