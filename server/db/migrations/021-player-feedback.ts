import type { Migration } from '../migration.ts';

/** Reports on films that do not play: which lesson it was, and in what browser. */
export const playerFeedback: Migration = {
  name: '021-player-feedback',
  sql: [
    'alter table exam_feedback add column lesson_id bigint',
    "alter table exam_feedback add column device_name text not null default ''",
  ],
};
