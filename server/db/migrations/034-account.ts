import { sql } from 'kysely';
import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };
const empty: Column = { type: 'text', default: '' };
const zero: Column = { type: 'bigint', default: 0 };
const orNull = (column: Column): Column => ({ ...column, nullable: true });

/** What a person sees and decides of their own account: devices, real name, a copy of their data, its closing. */
export const account: Migration = {
  name: '034-account',
  tables: {
    identities: {
      columns: { user_id: int, number_hash: text, masked: text, birth: text, created_at: int },
      key: ['user_id'],
      unique: [['number_hash']],
      refers: { user_id: 'users' },
    },
    data_exports: {
      columns: {
        id: int,
        user_id: int,
        state: text,
        file: empty,
        bytes: zero,
        reason: empty,
        created_at: int,
        ready_at: orNull(int),
        expires_at: int,
      },
      key: ['id'],
      index: [['user_id', 'created_at'], ['file'], ['expires_at']],
      refers: { user_id: 'users' },
    },
  },
  sql: [
    'alter table users add column last_used_at bigint not null default 0',
    'alter table users add column closes_at bigint',
    'alter table users add column gone_at bigint',
    "alter table sessions add column browser text not null default ''",
    "alter table sessions add column system text not null default ''",
    "alter table sessions add column place text not null default ''",
    'create index users_closes_at on users (closes_at)',
  ],
  fill: async (trx) => {
    // Of who has no session any more nobody knows when they were here: they count as never, until they come again.
    await sql`update users set last_used_at = coalesce(
      (select max(last_seen_at) from sessions where sessions.user_id = users.id), 0)`.execute(trx);
  },
};
