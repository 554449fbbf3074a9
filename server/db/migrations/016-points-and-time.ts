import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };
const integer: Column = { type: 'integer' };

/** Scoring points of reference answers with what students tick of them, and time that was given back (decision 029). */
export const pointsAndTime: Migration = {
  name: '016-points-and-time',
  tables: {
    point_ticks: {
      columns: { record_id: int, question_id: int, ticks: text },
      key: ['record_id', 'question_id'],
      refers: { record_id: 'exam_records', question_id: 'questions' },
    },
    time_gifts: {
      columns: {
        id: 'id',
        gift_key: text,
        exam_id: int,
        asked: text,
        minutes: integer,
        reason: text,
        given_by: { type: 'bigint', nullable: true },
        done_by: text,
        given_at: int,
      },
      unique: [['gift_key']],
      index: [['exam_id', 'given_at']],
      refers: { exam_id: 'exams', given_by: 'users' },
    },
    time_gift_records: {
      columns: { record_id: int, gift_id: int, ended_at: int, ends_at: int },
      key: ['record_id', 'gift_id'],
      index: [['gift_id']],
      refers: { record_id: 'exam_records', gift_id: 'time_gifts' },
    },
  },
  sql: [
    "alter table questions add column points text not null default ''",
    "alter table question_revisions add column points text not null default ''",
    'alter table exam_records add column extra_minutes integer not null default 0',
  ],
};
