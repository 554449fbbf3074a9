import type { Migration } from '../migration.ts';

/**
 * Whose answers alone a share of right ones, and a time, was counted from: with one taker it says nothing of the question. 0: of
 * several, or nobody knows, as of all that was counted before.
 */
export const onlyTaker: Migration = {
  name: '070-only-taker',
  sql: [
    'alter table question_accuracy add column only_taker bigint not null default 0',
    'alter table question_times add column only_taker bigint not null default 0',
  ],
};
