import type { Migration } from '../migration.ts';

/** Notes have a name of their own, so that one sent twice is one. */
export const notesOnce: Migration = {
  name: '065-notes-once',
  sql: [
    'alter table lesson_notes add column client_id text',
    'create unique index lesson_notes_sent on lesson_notes (user_id, client_id)',
  ],
};
