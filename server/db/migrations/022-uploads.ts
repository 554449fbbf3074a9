import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };
const empty: Column = { type: 'text', default: '' };
const zero: Column = { type: 'bigint', default: 0 };
const orNull = (column: Column): Column => ({ ...column, nullable: true });

/** Uploads that can be resumed, who brought a video, and what a teacher gave a lesson to show. */
export const uploads: Migration = {
  name: '022-uploads',
  tables: {
    uploads: {
      columns: {
        id: 'id',
        address: text,
        user_id: int,
        purpose: text,
        file_name: text,
        fingerprint: empty,
        bytes: int,
        received: zero,
        state: text,
        reason: empty,
        writer: orNull(text),
        heard_at: orNull(int),
        created_at: int,
        expires_at: int,
      },
      unique: [['address']],
      index: [
        ['user_id', 'state'],
        ['state', 'expires_at'],
      ],
      refers: { user_id: 'users' },
    },
  },
  sql: [
    'alter table media add column brought_by bigint',
    'alter table lessons add column media_given integer not null default 0',
    "alter table lessons add column pack_kind text not null default ''",
  ],
};
