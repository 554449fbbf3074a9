import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };
const integer: Column = { type: 'integer' };
const number: Column = { type: 'double' };
const flag: Column = { type: 'integer', default: 0 };
const orNull = (column: Column): Column => ({ ...column, nullable: true });

/** What follows an exam: questions answered wrong or by luck, collected ones, and papers that students put together. */
export const practice: Migration = {
  name: '010-practice',
  tables: {
    wrong_questions: {
      columns: {
        user_id: int,
        question_id: int,
        pack_id: int,
        exam_id: orNull(int),
        state: text,
        times_wrong: { type: 'integer', default: 0 },
        right_streak: { type: 'integer', default: 0 },
        guessed: flag,
        first_at: int,
        last_at: int,
      },
      key: ['user_id', 'question_id'],
      index: [['user_id', 'pack_id', 'state', 'last_at']],
      refers: { user_id: 'users', question_id: 'questions', pack_id: 'packs', exam_id: 'exams' },
    },
    review_cards: {
      columns: {
        user_id: int,
        question_id: int,
        due: int,
        stability: number,
        difficulty: number,
        reps: integer,
        lapses: integer,
        last_review_at: int,
        foretold: number,
      },
      key: ['user_id', 'question_id'],
      refers: { user_id: 'users', question_id: 'questions' },
    },
    study_settings: {
      columns: {
        user_id: int,
        pack_id: int,
        leave_after: orNull(integer),
        exam_date: orNull(text),
        daily_size: orNull(integer),
      },
      key: ['user_id', 'pack_id'],
      refers: { user_id: 'users', pack_id: 'packs' },
    },
    collected_questions: {
      columns: { user_id: int, question_id: int, pack_id: int, note: { type: 'text', default: '' }, collected_at: int },
      key: ['user_id', 'question_id'],
      index: [['user_id', 'pack_id', 'collected_at']],
      refers: { user_id: 'users', question_id: 'questions', pack_id: 'packs' },
    },
    own_papers: {
      columns: { exam_id: int, user_id: int, purpose: text, questions: text, made_at: int },
      key: ['exam_id'],
      index: [['user_id', 'made_at']],
      refers: { exam_id: 'exams', user_id: 'users' },
    },
  },
  sql: [
    'alter table exam_answers add column guess integer not null default 0',
    // Own papers are many more than those of the school.
    'create index exams_kind on exams (kind, pack_id)',
  ],
};
