import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const maybe: Column = { type: 'bigint', nullable: true };
const integer: Column = { type: 'integer' };

/** More time that a student has in papers with an end, and what of it a record began with (decision 065). */
export const timeOfOnesOwn: Migration = {
  name: '053-time-of-ones-own',
  tables: {
    accommodations: {
      columns: {
        id: 'id',
        user_id: int,
        pack_id: maybe,
        percent: { ...integer, nullable: true },
        minutes: { ...integer, nullable: true },
        reason: { type: 'text' },
        set_by: int,
        set_at: int,
        ended_by: maybe,
        ended_at: maybe,
      },
      refers: { user_id: 'users', pack_id: 'packs', set_by: 'users', ended_by: 'users' },
    },
  },
  sql: [
    'create unique index accommodations_in_force on accommodations (user_id, coalesce(pack_id, 0)) where ended_at is null',
    'create index accommodations_user_id on accommodations (user_id)',
    'alter table exam_records add column accommodation_minutes integer not null default 0',
  ],
};
