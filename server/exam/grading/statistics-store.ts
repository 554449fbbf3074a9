import { type Expression, sql } from 'kysely';
import type { Db, Trx } from '#server/db/open.ts';
import { allGiven, PreparedForRows } from '#server/db/prepared.ts';
import type { StatisticChanges } from './statistics.ts';
import type { StudyChanges } from './study.ts';
import { evidenceWriter } from './wrong-store.ts';

/** Adds the changes to the stored counters, and to the wrong-question lists. */
export type WriteStatistics = (trx: Trx, changes: StatisticChanges) => Promise<void>;

const QUESTIONS_COLUMNS = {
  question_id: 'bigint',
  key_version: 'bigint',
  taken: 'bigint',
  right_count: 'bigint',
  only_taker: 'bigint',
} as const;
const POINTS_COLUMNS = {
  exam_id: 'bigint',
  question_id: 'bigint',
  earned: 'double precision',
  total: 'double precision',
} as const;
const PROGRESS_COLUMNS = { user_id: 'bigint', chapter_id: 'bigint', graded: 'bigint', right_count: 'bigint' } as const;

const KINDS_COLUMNS = {
  user_id: 'bigint',
  pack_id: 'bigint',
  chapter_id: 'bigint',
  question_types_id: 'bigint',
  difficulty: 'bigint',
  done: 'bigint',
  right_count: 'bigint',
  seconds: 'bigint',
  points: 'bigint',
  lost: 'bigint',
} as const;
const DAYS_COLUMNS = {
  user_id: 'bigint',
  pack_id: 'bigint',
  day: 'bigint',
  answered: 'bigint',
  seconds: 'bigint',
} as const;
const TIMES_COLUMNS = { question_id: 'bigint', bucket: 'bigint', taken: 'bigint', only_taker: 'bigint' } as const;

const namesOf = <C extends object>(columns: C) => Object.keys(columns) as (keyof C & string)[];

/** Who gave all answers, once those that come are added (`onlyOf` for what is stored). */
const stillOnly = (stored: Expression<number>) =>
  sql<number>`case when ${stored} = excluded.only_taker then excluded.only_taker else 0 end`;

/** Makes the writer of statistics; its statements are compiled once. */
export function statisticsWriter(db: Db): WriteStatistics {
  const questions = new PreparedForRows<typeof QUESTIONS_COLUMNS, never>(
    db,
    QUESTIONS_COLUMNS,
    (given) =>
      given
        .insertInto('question_accuracy')
        .columns(namesOf(QUESTIONS_COLUMNS))
        .expression(allGiven(namesOf(QUESTIONS_COLUMNS)))
        .onConflict((conflict) =>
          conflict.columns(['question_id', 'key_version']).doUpdateSet(({ eb, ref }) => ({
            taken: eb('question_accuracy.taken', '+', ref('excluded.taken')),
            right_count: eb('question_accuracy.right_count', '+', ref('excluded.right_count')),
            only_taker: stillOnly(ref('question_accuracy.only_taker')),
          })),
        ) as never,
  );
  const points = new PreparedForRows<typeof POINTS_COLUMNS, never>(
    db,
    POINTS_COLUMNS,
    (given) =>
      given
        .insertInto('exam_question_stats')
        .columns(['exam_id', 'question_id', 'earned', 'total'])
        .expression(allGiven(['exam_id', 'question_id', 'earned', 'total']))
        .onConflict((conflict) =>
          conflict.columns(['exam_id', 'question_id']).doUpdateSet(({ eb, ref }) => ({
            earned: eb('exam_question_stats.earned', '+', ref('excluded.earned')),
            total: eb('exam_question_stats.total', '+', ref('excluded.total')),
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
  const kinds = new PreparedForRows<typeof KINDS_COLUMNS, never>(
    db,
    KINDS_COLUMNS,
    (given) =>
      given
        .insertInto('study_counts')
        .columns(namesOf(KINDS_COLUMNS))
        .expression(allGiven(namesOf(KINDS_COLUMNS)))
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'pack_id', 'chapter_id', 'question_types_id', 'difficulty'])
            .doUpdateSet(({ eb, ref }) => ({
              done: eb('study_counts.done', '+', ref('excluded.done')),
              right_count: eb('study_counts.right_count', '+', ref('excluded.right_count')),
              seconds: eb('study_counts.seconds', '+', ref('excluded.seconds')),
              points: eb('study_counts.points', '+', ref('excluded.points')),
              lost: eb('study_counts.lost', '+', ref('excluded.lost')),
            })),
        ) as never,
  );
  const days = new PreparedForRows<typeof DAYS_COLUMNS, never>(
    db,
    DAYS_COLUMNS,
    (given) =>
      given
        .insertInto('study_days')
        .columns(namesOf(DAYS_COLUMNS))
        .expression(allGiven(namesOf(DAYS_COLUMNS)))
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'pack_id', 'day']).doUpdateSet(({ eb, ref }) => ({
            answered: eb('study_days.answered', '+', ref('excluded.answered')),
            seconds: eb('study_days.seconds', '+', ref('excluded.seconds')),
          })),
        ) as never,
  );
  const times = new PreparedForRows<typeof TIMES_COLUMNS, never>(
    db,
    TIMES_COLUMNS,
    (given) =>
      given
        .insertInto('question_times')
        .columns(namesOf(TIMES_COLUMNS))
        .expression(allGiven(namesOf(TIMES_COLUMNS)))
        .onConflict((conflict) =>
          conflict.columns(['question_id', 'bucket']).doUpdateSet(({ eb, ref }) => ({
            taken: eb('question_times.taken', '+', ref('excluded.taken')),
            only_taker: stillOnly(ref('question_times.only_taker')),
          })),
        ) as never,
  );
  const writeStudy = async (trx: Trx, study: StudyChanges): Promise<void> => {
    const kindRows = study.kinds.values().map((kind) => ({
      user_id: kind.userId,
      pack_id: kind.packId,
      chapter_id: kind.chapterId,
      question_types_id: kind.type,
      difficulty: kind.difficulty,
      done: kind.done,
      right_count: kind.right,
      seconds: kind.seconds,
      points: kind.points,
      lost: kind.lost,
    }));
    await kinds.run(
      trx,
      kindRows.sort(
        (a, b) =>
          a.user_id - b.user_id ||
          a.pack_id - b.pack_id ||
          a.chapter_id - b.chapter_id ||
          a.question_types_id - b.question_types_id ||
          a.difficulty - b.difficulty,
      ),
    );
    const dayRows = study.days.values().map(({ userId, packId, day, answered, seconds }) => ({
      user_id: userId,
      pack_id: packId,
      day,
      answered,
      seconds,
    }));
    await days.run(
      trx,
      dayRows.sort((a, b) => a.user_id - b.user_id || a.pack_id - b.pack_id || a.day - b.day),
    );
    const timeRows = study.times
      .entries()
      .flatMap(([question_id, bucket, { taken, onlyTaker }]) =>
        taken === 0 ? [] : [{ question_id, bucket, taken, only_taker: onlyTaker }],
      );
    await times.run(
      trx,
      timeRows.sort((a, b) => a.question_id - b.question_id || a.bucket - b.bucket),
    );
  };
  const writeEvidence = evidenceWriter(db);
  // In the order of their keys, so that two processes cannot wait for each other.
  return async (trx, { questions: byQuestion, points: byExam, progress: byStudent, evidence, study }) => {
    const questionRows = byQuestion.entries().map(([question_id, key_version, { taken, right, onlyTaker }]) => ({
      ...{ question_id, key_version, taken, right_count: right },
      only_taker: onlyTaker,
    }));
    await questions.run(
      trx,
      questionRows.sort((a, b) => a.question_id - b.question_id || a.key_version - b.key_version),
    );
    const pointRows = byExam
      .entries()
      .map(([exam_id, question_id, { earned, total }]) => ({ exam_id, question_id, earned, total }));
    await points.run(
      trx,
      pointRows.sort((a, b) => a.exam_id - b.exam_id || a.question_id - b.question_id),
    );
    const progressRows = byStudent
      .entries()
      .map(([user_id, chapter_id, { graded, right }]) => ({ user_id, chapter_id, graded, right_count: right }));
    await progress.run(
      trx,
      progressRows.sort((a, b) => a.user_id - b.user_id || a.chapter_id - b.chapter_id),
    );
    await writeStudy(trx, study);
    await writeEvidence(trx, evidence);
  };
}
