import type { Migration } from '../migration.ts';

/** Which question was on the screen when a window last told the time spent on a record, so that another browser goes on there. */
export const whereOneIs: Migration = {
  name: '064-where-one-is',
  sql: [
    'alter table exam_records add column place_question_id bigint',
    'alter table exam_records add column place_seq bigint not null default 0',
  ],
};
