import type { Db, Trx } from '#server/db/open.ts';
import { allGiven, PreparedForRows } from '#server/db/prepared.ts';
import type { StatisticChanges } from './statistics.ts';
import { lessonWriter } from './wrong-store.ts';

/** Adds the changes to the stored counters, and to the wrong-question lists. */
export type WriteStatistics = (trx: Trx, changes: StatisticChanges) => Promise<void>;

const QUESTIONS_COLUMNS = {
  question_id: 'bigint',
  key_version: 'bigint',
  taken: 'bigint',
  right_count: 'bigint',
} as const;
const CHAPTERS_COLUMNS = {
  exam_id: 'bigint',
  chapter_id: 'bigint',
  earned: 'double precision',
  total: 'double precision',
} as const;
const PROGRESS_COLUMNS = { user_id: 'bigint', chapter_id: 'bigint', graded: 'bigint', right_count: 'bigint' } as const;

/** Makes the writer of statistics; its statements are compiled once. */
export function statisticsWriter(db: Db): WriteStatistics {
  const questions = new PreparedForRows<typeof QUESTIONS_COLUMNS, never>(
    db,
    QUESTIONS_COLUMNS,
    (given) =>
      given
        .insertInto('question_accuracy')
        .columns(['question_id', 'key_version', 'taken', 'right_count'])
        .expression(allGiven(['question_id', 'key_version', 'taken', 'right_count']))
        .onConflict((conflict) =>
          conflict.columns(['question_id', 'key_version']).doUpdateSet(({ eb, ref }) => ({
            taken: eb('question_accuracy.taken', '+', ref('excluded.taken')),
            right_count: eb('question_accuracy.right_count', '+', ref('excluded.right_count')),
          })),
        ) as never,
  );
  const chapters = new PreparedForRows<typeof CHAPTERS_COLUMNS, never>(
    db,
    CHAPTERS_COLUMNS,
    (given) =>
      given
        .insertInto('exam_chapter_stats')
        .columns(['exam_id', 'chapter_id', 'earned', 'total'])
        .expression(allGiven(['exam_id', 'chapter_id', 'earned', 'total']))
        .onConflict((conflict) =>
          conflict.columns(['exam_id', 'chapter_id']).doUpdateSet(({ eb, ref }) => ({
            earned: eb('exam_chapter_stats.earned', '+', ref('excluded.earned')),
            total: eb('exam_chapter_stats.total', '+', ref('excluded.total')),
          })),
        ) as never,
  );
  const progress = new PreparedForRows<typeof PROGRESS_COLUMNS, never>(
    db,
    PROGRESS_COLUMNS,
    (given) =>
      given
        .insertInto('chapter_progress')
        .columns(['user_id', 'chapter_id', 'graded', 'right_count'])
        .expression(allGiven(['user_id', 'chapter_id', 'graded', 'right_count']))
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'chapter_id']).doUpdateSet(({ eb, ref }) => ({
            graded: eb('chapter_progress.graded', '+', ref('excluded.graded')),
            right_count: eb('chapter_progress.right_count', '+', ref('excluded.right_count')),
          })),
        ) as never,
  );
  const writeLessons = lessonWriter(db);
  // In the order of their keys, so that two processes cannot wait for each other.
  return async (trx, { questions: byQuestion, chapters: byChapter, progress: byStudent, lessons }) => {
    const questionRows = byQuestion
      .entries()
      .map(([question_id, key_version, { taken, right }]) => ({ question_id, key_version, taken, right_count: right }));
    await questions.run(
      trx,
      questionRows.sort((a, b) => a.question_id - b.question_id || a.key_version - b.key_version),
    );
    const chapterRows = byChapter
      .entries()
      .map(([exam_id, chapter_id, { earned, total }]) => ({ exam_id, chapter_id, earned, total }));
    await chapters.run(
      trx,
      chapterRows.sort((a, b) => a.exam_id - b.exam_id || a.chapter_id - b.chapter_id),
    );
    const progressRows = byStudent
      .entries()
      .map(([user_id, chapter_id, { graded, right }]) => ({ user_id, chapter_id, graded, right_count: right }));
    await progress.run(
      trx,
      progressRows.sort((a, b) => a.user_id - b.user_id || a.chapter_id - b.chapter_id),
    );
    await writeLessons(trx, lessons);
  };
}
