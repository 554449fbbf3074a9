import type { Migration } from '../migration.ts';

/** The school's own key of a question (编号), by which it is found again when its text was corrected (decision 068). */
export const schoolKeys: Migration = {
  name: '054-school-keys',
  sql: [
    'alter table questions add column school_key text',
    'create unique index questions_school_key on questions (pack_id, school_key) where school_key is not null',
  ],
};
