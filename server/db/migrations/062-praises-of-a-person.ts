import type { Migration } from '../migration.ts';

/** What somebody likes is found by them, for a copy of their data (decision 048). */
export const praisesOfAPerson: Migration = {
  name: '062-praises-of-a-person',
  sql: ['create index comment_praises_user_id_comment_id on comment_praises (user_id, comment_id)'],
};
