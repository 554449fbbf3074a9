import type { Db, Trx } from '#server/db/open.ts';
import { Prepared, pieces, times } from '#server/db/prepared.ts';
import type { StatisticChanges } from './statistics.ts';

/** Adds the changes to the stored counters. */
export type WriteStatistics = (trx: Trx, changes: StatisticChanges) => Promise<void>;

type Row = [firstId: number, secondId: number, ...counts: number[]];

/** Rows in the order of their keys, so that two processes cannot wait for each other. */
const inOrder = (rows: Row[]): Row[] => rows.sort(([a, b], [c, d]) => a - c || b - d);

/** Makes the writer of statistics; its statements are compiled once. */
export function statisticsWriter(db: Db): WriteStatistics {
  const questions = new Prepared<never>(
    (size) =>
      db.query
        .insertInto('question_stats')
        .values(times(size, { question_id: 0, taken: 0, right_count: 0 }))
        .onConflict((conflict) =>
          conflict.column('question_id').doUpdateSet(({ eb, ref }) => ({
            taken: eb('question_stats.taken', '+', ref('excluded.taken')),
            right_count: eb('question_stats.right_count', '+', ref('excluded.right_count')),
          })),
        ) as never,
  );
  const chapters = new Prepared<never>(
    (size) =>
      db.query
        .insertInto('exam_chapter_stats')
        .values(times(size, { exam_id: 0, chapter_id: 0, earned: 0, total: 0 }))
        .onConflict((conflict) =>
          conflict.columns(['exam_id', 'chapter_id']).doUpdateSet(({ eb, ref }) => ({
            earned: eb('exam_chapter_stats.earned', '+', ref('excluded.earned')),
            total: eb('exam_chapter_stats.total', '+', ref('excluded.total')),
          })),
        ) as never,
  );
  const progress = new Prepared<never>(
    (size) =>
      db.query
        .insertInto('chapter_progress')
        .values(times(size, { user_id: 0, chapter_id: 0, graded: 0, right_count: 0 }))
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'chapter_id']).doUpdateSet(({ eb, ref }) => ({
            graded: eb('chapter_progress.graded', '+', ref('excluded.graded')),
            right_count: eb('chapter_progress.right_count', '+', ref('excluded.right_count')),
          })),
        ) as never,
  );
  return async (trx, changes) => {
    const write = async (statement: Prepared<never>, rows: Row[]) => {
      for (const piece of pieces(inOrder(rows))) await statement.run(trx, piece.flat(), piece.length);
    };
    await write(
      questions,
      [...changes.questions].map(([questionId, { taken, right }]) => [questionId, taken, right]),
    );
    await write(
      chapters,
      changes.chapters.entries().map(([examId, chapterId, { earned, total }]) => [examId, chapterId, earned, total]),
    );
    await write(
      progress,
      changes.progress.entries().map(([userId, chapterId, { graded, right }]) => [userId, chapterId, graded, right]),
    );
  };
}
