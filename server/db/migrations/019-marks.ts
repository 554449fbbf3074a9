import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const zero: Column = { type: 'bigint', default: 0 };

/** What a student said last when reviewing one question, and the re-scoring of papers that students put together. */
export const marks: Migration = {
  name: '019-marks',
  tables: {
    last_reviews: {
      columns: { user_id: int, question_id: int, day: int, said: { type: 'text' }, reviewed_at: int },
      key: ['user_id', 'question_id'],
      refers: { user_id: 'users', question_id: 'questions' },
    },
    own_rescores: {
      columns: { correction_id: int, after_exam: zero, done: zero },
      key: ['correction_id'],
      index: [['done']],
      refers: { correction_id: 'corrections' },
    },
    own_records_to_rescore: {
      columns: { record_id: int },
      key: ['record_id'],
      refers: { record_id: 'exam_records' },
    },
  },
  // Corrections from before are taken along, too.
  sql: ['insert into own_rescores (correction_id) select correction_id from question_corrections'],
};
