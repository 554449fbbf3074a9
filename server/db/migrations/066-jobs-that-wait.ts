import type { Migration } from '../migration.ts';

/** Since when a job waits for what lies outside of it: its time in the queue is no part of that. */
export const jobsThatWait: Migration = {
  name: '066-jobs-that-wait',
  sql: ['alter table jobs add column waiting_since bigint'],
};
