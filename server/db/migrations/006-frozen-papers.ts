import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };
const number: Column = { type: 'integer' };
const orNull = (column: Column): Column => ({ ...column, nullable: true });

/**
 * A record keeps the paper it began with. Nothing is copied here: every paper begins again at version 1, which is what
 * every record that exists then has, so that no row of a record is written.
 */
export const frozenPapers: Migration = {
  name: '006-frozen-papers',
  tables: {
    corrections: {
      columns: { id: 'id', pack_id: int, made_at: int, noted: number },
      refers: { pack_id: 'packs' },
      index: [['pack_id']],
    },
    paper_revisions: {
      columns: {
        exam_id: int,
        version: number,
        correction_id: int,
        kind: text,
        name: text,
        test_type: number,
        exam_time: orNull(number),
        partial: orNull({ type: 'double' }),
        total_question: number,
        total_score: { type: 'double' },
        sections: text,
        questions: text,
      },
      key: ['exam_id', 'version'],
      refers: { exam_id: 'exams', correction_id: 'corrections' },
    },
    question_revisions: {
      columns: {
        question_id: int,
        correction_id: int,
        question_types_id: number,
        chapter_id: int,
        case_id: orNull(int),
        key_version: number,
        fingerprint: text,
        topic: text,
        options: text,
        right_answer: text,
        answer_analysis: text,
      },
      key: ['question_id', 'correction_id'],
      refers: { question_id: 'questions', correction_id: 'corrections' },
      index: [['fingerprint']],
    },
    case_revisions: {
      columns: { case_id: int, correction_id: int, title: text, text },
      key: ['case_id', 'correction_id'],
      refers: { case_id: 'cases', correction_id: 'corrections' },
    },
    question_accuracy: {
      columns: { question_id: int, key_version: number, taken: int, right_count: int },
      key: ['question_id', 'key_version'],
      refers: { question_id: 'questions' },
    },
  },
  sql: [
    'alter table questions add column key_version integer not null default 1',
    'alter table exam_records add column version integer not null default 1',
    'update exams set version = 1 where version <> 1',
    'insert into question_accuracy select question_id, 1, taken, right_count from question_stats',
    'drop table question_stats',
  ],
};
