import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };
const integer: Column = { type: 'integer' };
const flag: Column = { type: 'integer', default: 0 };
const none: Column = { type: 'text', default: '' };
const orNull = (column: Column): Column => ({ ...column, nullable: true });

/**
 * How questions fare with their students, and what teachers correct in them. What was handed in before waits to be counted, in
 * the background, as what is handed in from now on.
 */
export const questionQuality: Migration = {
  name: '015-question-quality',
  tables: {
    question_quality: {
      columns: {
        question_id: int,
        pack_id: int,
        key_version: { type: 'integer', default: 1 },
        meaning: none,
        choices: { type: 'text', default: '{}' },
        reports: flag,
        attention: flag,
        stale: flag,
      },
      key: ['question_id'],
      index: [['pack_id', 'attention', 'question_id']],
      refers: { question_id: 'questions', pack_id: 'packs' },
    },
    records_to_count: { columns: { record_id: int }, key: ['record_id'], refers: { record_id: 'exam_records' } },
    counted_answers: {
      columns: { user_id: int, block: int, bits: text },
      key: ['user_id', 'block'],
      refers: { user_id: 'users' },
    },
    question_corrections: {
      columns: {
        correction_id: int,
        question_id: int,
        teacher_id: int,
        reason: text,
        changes: text,
        made_at: int,
        done_at: orNull(int),
      },
      key: ['correction_id'],
      index: [['question_id', 'correction_id']],
      refers: { correction_id: 'corrections', question_id: 'questions', teacher_id: 'users' },
    },
    rescore_tasks: {
      columns: {
        correction_id: int,
        exam_id: int,
        from_version: integer,
        to_version: integer,
        question_id: int,
        due: { type: 'integer', default: 1 },
        done: flag,
      },
      key: ['correction_id', 'exam_id', 'from_version'],
      refers: { correction_id: 'corrections', exam_id: 'exams', question_id: 'questions' },
    },
    record_rescores: {
      columns: {
        record_id: int,
        correction_id: int,
        question_id: int,
        rescored_at: int,
        from_version: integer,
        score_before: { type: 'double' },
        score_after: { type: 'double' },
        total_before: { type: 'double' },
        total_after: { type: 'double' },
        graded_before: text,
        graded_after: text,
      },
      key: ['record_id', 'correction_id'],
      index: [['correction_id']],
      refers: { record_id: 'exam_records', correction_id: 'corrections', question_id: 'questions' },
    },
  },
  sql: [
    "alter table questions add column grade_mode text not null default 'key'",
    "alter table question_revisions add column grade_mode text not null default 'key'",
    "alter table paper_revisions add column overrides text not null default '{}'",
    'create index questions_listed on questions (pack_id, archived, id)',
    'create index question_quality_stale on question_quality (question_id) where stale = 1',
    'create index rescore_tasks_waiting on rescore_tasks (exam_id, from_version) where done = 0',
    'insert into records_to_count select id from exam_records where submitted_at is not null',
    `insert into question_quality (question_id, pack_id, reports, stale)
      select questions.id, questions.pack_id, count(*), 1 from exam_feedback
      inner join questions on questions.id = exam_feedback.question_id
      where exam_feedback.state in (0, 1) group by questions.id, questions.pack_id`,
  ],
};
