import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };

/** What teachers answer to reports on questions, and which version of a question its student saw. */
export const feedbackAnswers: Migration = {
  name: '011-feedback-answers',
  tables: {
    feedback_answers: {
      columns: {
        feedback_id: int,
        version: { type: 'integer' },
        state: { type: 'integer' },
        answer: text,
        answered_by: int,
        answered_at: int,
      },
      key: ['feedback_id', 'version'],
      refers: { feedback_id: 'exam_feedback', answered_by: 'users' },
    },
  },
  sql: [
    'alter table exam_feedback add column record_id bigint',
    'alter table exam_feedback add column key_version integer',
    'alter table exam_feedback add column state integer not null default 0',
    "alter table exam_feedback add column answer text not null default ''",
    'alter table exam_feedback add column answered_by bigint',
    'alter table exam_feedback add column answered_at bigint',
    'alter table exam_feedback add column version integer not null default 0',
    'alter table exam_feedback add column seen_version integer not null default 0',
    'create index exam_feedback_waiting on exam_feedback (state, created_at)',
    'create index exam_feedback_question on exam_feedback (question_id)',
  ],
};
