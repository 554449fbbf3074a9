import type { Migration } from '../migration.ts';

/** Papers whose questions their school keeps out of every practice. */
export const reservedPapers: Migration = {
  name: '038-reserved-papers',
  sql: [
    'alter table exams add column reserved integer not null default 0',
    'create index exams_reserved on exams (pack_id) where reserved = 1',
  ],
};
