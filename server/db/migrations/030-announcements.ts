import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };
const orNull = (column: Column): Column => ({ ...column, nullable: true });

/** What the school tells everybody, who has read it, and what each person wants to be told of; and the teachers' queue along its filters. */
export const announcements: Migration = {
  name: '030-announcements',
  tables: {
    announcements: {
      columns: {
        id: int,
        name: text,
        content: text,
        pack_id: orNull(int),
        from_at: int,
        until_at: int,
        user_id: orNull(int),
        client_id: orNull(text),
        created_at: int,
        withdrawn_at: orNull(int),
        withdrawn_by: orNull(int),
      },
      key: ['id'],
      unique: [['user_id', 'client_id']],
      index: [['until_at'], ['created_at']],
      refers: { pack_id: 'packs', user_id: 'users', withdrawn_by: 'users' },
    },
    announcement_reads: {
      columns: { announcement_id: int, user_id: int, read_at: int },
      key: ['announcement_id', 'user_id'],
      index: [['user_id', 'announcement_id']],
      refers: { announcement_id: 'announcements', user_id: 'users' },
    },
    unwanted_notices: {
      columns: { user_id: int, topic: text },
      key: ['user_id', 'topic'],
      refers: { user_id: 'users' },
    },
  },
  sql: [
    // A rare type, or a teacher, was looked for along all questions of a large school.
    'create index qa_threads_due_of_pack_type on qa_threads (pack_id, feedback_type, due_at, id) where waiting = 1',
    'create index qa_threads_rest_of_type on qa_threads (feedback_type, id) where waiting = 0',
    'create index qa_threads_rest_of_pack_type on qa_threads (pack_id, feedback_type, id) where waiting = 0',
    'create index qa_threads_rest_for on qa_threads (teacher_id, id) where waiting = 0 and teacher_id is not null',
  ],
};
