import type { Migration } from '../migration.ts';

/** Papers whose questions their school keeps out of every practice; how a student wanted a random paper. */
export const reservedPapers: Migration = {
  name: '038-reserved-papers',
  sql: [
    'alter table exams add column reserved integer not null default 0',
    "alter table own_papers add column blueprint text not null default ''",
    'create index exams_reserved on exams (pack_id) where reserved = 1',
  ],
};
