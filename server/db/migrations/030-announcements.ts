import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };
const orNull = (column: Column): Column => ({ ...column, nullable: true });

/** What the school tells everybody, who has read it, and what each person wants to be told of. */
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
};
