import type { Migration } from '../migration.ts';

/** A comment that is sent again is the same one, and one with a word of the school's list waits for a teacher. */
export const commentNames: Migration = {
  name: '041-comment-names',
  sql: [
    'alter table comments add column client_id text',
    "alter table comments add column held_words text not null default ''",
    'create unique index comments_user_id_client_id on comments (user_id, client_id)',
  ],
};
