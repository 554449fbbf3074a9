import type { Migration } from '../migration.ts';

/** Comments have a name of their own, so that one sent twice is one, and wait where they have a word of the school's list. */
export const commentsOnce: Migration = {
  name: '039-comments-once',
  sql: [
    'alter table comments add column client_id text',
    "alter table comments add column held_words text not null default ''",
    'create unique index comments_sent on comments (user_id, client_id)',
  ],
};
