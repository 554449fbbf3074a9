import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const integer: Column = { type: 'integer' };
const count: Column = { type: 'bigint', default: 0 };

/** A student's own figures, and how long questions take everybody. */
export const statistics: Migration = {
  name: '013-statistics',
  tables: {
    study_counts: {
      columns: {
        user_id: int,
        pack_id: int,
        chapter_id: int,
        question_types_id: integer,
        difficulty: integer,
        done: count,
        right_count: count,
        seconds: count,
        points: count,
        lost: count,
      },
      key: ['user_id', 'pack_id', 'chapter_id', 'question_types_id', 'difficulty'],
      refers: { user_id: 'users', pack_id: 'packs', chapter_id: 'chapters' },
    },
    study_days: {
      columns: { user_id: int, pack_id: int, day: integer, answered: count, seconds: count },
      key: ['user_id', 'pack_id', 'day'],
      refers: { user_id: 'users', pack_id: 'packs' },
    },
    question_times: {
      columns: { question_id: int, bucket: integer, taken: count },
      key: ['question_id', 'bucket'],
      refers: { question_id: 'questions' },
    },
  },
  sql: [
    'alter table exam_records add column counted text',
    'alter table exam_answers add column counted_seconds integer',
    'alter table exam_answers add column counted_difficulty integer',
    // What was closed by an earlier version, for the job that counts it.
    'create index exam_records_uncounted on exam_records (id) where submitted_at is not null and counted is null',
    // The newest records of a student in one pack, for the trend.
    'create index exam_records_of_pack on exam_records (user_id, pack_id, started_at)',
  ],
};
