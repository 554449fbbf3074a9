import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };
const orNull = (column: Column): Column => ({ ...column, nullable: true });

/** What the school tells one person. */
export const notices: Migration = {
  name: '012-notices',
  tables: {
    notices: {
      columns: {
        id: int,
        user_id: int,
        event: text,
        kind: text,
        words: text,
        record_id: orNull(int),
        question_id: orNull(int),
        created_at: int,
        read_at: orNull(int),
      },
      key: ['id'],
      unique: [['user_id', 'event']],
      index: [['user_id', 'created_at'], ['created_at']],
      refers: { user_id: 'users' },
    },
  },
};
