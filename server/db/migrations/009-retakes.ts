import type { Migration } from '../migration.ts';

/**
 * Papers say how often they may be sat, how long after, and which record counts; each record has its number among those of
 * its student. Two processes that begin the same one are told apart by the index.
 */
export const retakes: Migration = {
  name: '009-retakes',
  tables: {},
  sql: [
    'alter table exams add column most_attempts integer',
    'alter table exams add column retake_after integer',
    "alter table exams add column counted_record text not null default 'first'",
    'alter table exam_records add column attempt integer not null default 1',
    `update exam_records set attempt = numbered.attempt
      from (select id, row_number() over (partition by user_id, exam_id order by id) as attempt from exam_records) as numbered
      where numbered.id = exam_records.id and numbered.attempt > 1`,
    'create unique index exam_records_attempt on exam_records (user_id, exam_id, attempt)',
  ],
};
