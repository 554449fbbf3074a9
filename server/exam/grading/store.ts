import type { Closed } from '#contract/values/exam.ts';
import { type Graded, tally } from '#rules/exam/scoring.ts';
import type { Db, Trx } from '#server/db/open.ts';
import { allGiven, PreparedForRows } from '#server/db/prepared.ts';
import { gradedToJson } from './graded-store.ts';
import { type Counted, countedToJson } from './study.ts';

/** How a record ends, with its graded questions. */
export interface Ending {
  recordId: number;
  closed: Closed;
  submittedAt: number;
  /** Seconds spent. */
  totalTime: number;
  graded: ReadonlyMap<number, Graded>;
  /** With what its answers were counted. */
  counted: ReadonlyMap<number, Counted>;
}

/** Writes what grading gave; the records are locked by the transaction. */
export interface GradingStore {
  /** Ends records. */
  close(trx: Trx, endings: readonly Ending[]): Promise<void>;
  /** Writes the graded questions of a closed record anew. */
  regrade(trx: Trx, recordId: number, graded: ReadonlyMap<number, Graded>): Promise<void>;
}

const ENDED = {
  record_id: 'bigint',
  submitted_at: 'bigint',
  closed: 'text',
  total_time: 'bigint',
  score: 'double precision',
  right_count: 'bigint',
  wrong_count: 'bigint',
  unanswered_count: 'bigint',
  pending_count: 'bigint',
  graded: 'text',
  counted: 'text',
} as const;

/** Makes the store of results; the statement that ends records is compiled once. */
export function gradingStore(db: Db): GradingStore {
  const close = new PreparedForRows<typeof ENDED, never>(
    db,
    ENDED,
    (given) =>
      given
        .updateTable('exam_records')
        .from('given')
        .set(
          ({ ref }) =>
            ({
              submitted_at: ref('given.submitted_at'),
              closed: ref('given.closed'),
              total_time: ref('given.total_time'),
              score: ref('given.score'),
              right_count: ref('given.right_count'),
              wrong_count: ref('given.wrong_count'),
              unanswered_count: ref('given.unanswered_count'),
              pending_count: ref('given.pending_count'),
              graded: ref('given.graded'),
              counted: ref('given.counted'),
            }) as never,
        )
        .whereRef('exam_records.id', '=', 'given.record_id') as never,
  );
  const toCount = { record_id: 'bigint' } as const;
  const waits = new PreparedForRows<typeof toCount, never>(
    db,
    toCount,
    (given) =>
      given
        .insertInto('records_to_count')
        .columns(['record_id'])
        .expression(allGiven(['record_id']))
        .onConflict((conflict) => conflict.doNothing()) as never,
  );
  return {
    close: async (trx, endings) => {
      const rows = endings.map(({ recordId, submittedAt, closed, totalTime, graded, counted }) => {
        const { score, rightCount, wrongCount, unansweredCount, pendingCount } = tally(graded.values());
        return {
          record_id: recordId,
          submitted_at: submittedAt,
          closed,
          total_time: totalTime,
          score,
          right_count: rightCount,
          wrong_count: wrongCount,
          unanswered_count: unansweredCount,
          pending_count: pendingCount,
          graded: gradedToJson(graded),
          counted: countedToJson(counted),
        };
      });
      await close.run(trx, rows);
      await waits.run(
        trx,
        endings.map(({ recordId }) => ({ record_id: recordId })),
      );
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
      await waits.run(trx, [{ record_id: recordId }]);
    },
  };
}
