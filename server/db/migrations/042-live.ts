import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const maybe: Column = { type: 'bigint', nullable: true };
const text: Column = { type: 'text' };

/** Live lessons, and who has booked them. */
export const live: Migration = {
  name: '042-live',
  tables: {
    live_lessons: {
      columns: {
        id: 'id',
        pack_id: int,
        teacher_id: int,
        title: text,
        live_platform: { type: 'integer' },
        live_url_pc: text,
        live_url_h5: text,
        replay_url: text,
        starts_at: int,
        ends_at: int,
        told_at: maybe,
        cancelled_at: maybe,
        created_by: int,
        client_id: { type: 'text', nullable: true },
        created_at: int,
      },
      unique: [['created_by', 'client_id']],
      index: [['pack_id', 'starts_at'], ['ends_at'], ['starts_at']],
      refers: { pack_id: 'packs', teacher_id: 'users', created_by: 'users' },
    },
    live_bookings: {
      columns: { live_id: int, user_id: int, booked_at: int },
      key: ['live_id', 'user_id'],
      index: [['user_id']],
      refers: { live_id: 'live_lessons', user_id: 'users' },
    },
  },
};
