import type { Migration } from '../migration.ts';

/** Which connection to SRS was let in for a stream last, and when (decision 077). */
export const srsPublishers: Migration = {
  name: '060-srs',
  sql: [
    "alter table live_streams add column publisher text not null default ''",
    'alter table live_streams add column let_in_at bigint not null default 0',
  ],
};
