import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const maybe: Column = { type: 'bigint', nullable: true };
const flag: Column = { type: 'integer', default: 0 };
const text: Column = { type: 'text' };

/** What is said in the rooms of live lessons, who may not speak, hands, polls, and who was there. */
export const liveTalk: Migration = {
  name: '047-live-talk',
  tables: {
    live_talks: {
      columns: { live_id: int, last_seq: int, muted_all: flag, pinned_seq: maybe },
      key: ['live_id'],
      refers: { live_id: 'live_lessons' },
    },
    live_messages: {
      columns: {
        id: 'id',
        live_id: int,
        seq: int,
        kind: text,
        user_id: int,
        by_teacher: flag,
        text,
        target_seq: maybe,
        to_user_id: maybe,
        poll_id: maybe,
        client_id: { type: 'text', nullable: true },
        said_at: int,
        deleted_at: maybe,
        deleted_by: maybe,
      },
      unique: [
        ['live_id', 'seq'],
        ['live_id', 'user_id', 'client_id'],
      ],
      index: [
        ['user_id', 'id'],
        ['live_id', 'user_id', 'said_at'],
      ],
      refers: { live_id: 'live_lessons', user_id: 'users' },
    },
    live_mutes: {
      columns: { live_id: int, user_id: int, muted_at: int, muted_by: int },
      key: ['live_id', 'user_id'],
      index: [['user_id']],
      refers: { live_id: 'live_lessons', user_id: 'users' },
    },
    live_hands: {
      columns: { live_id: int, user_id: int, raised_at: int },
      key: ['live_id', 'user_id'],
      index: [['user_id']],
      refers: { live_id: 'live_lessons', user_id: 'users' },
    },
    live_polls: {
      columns: {
        id: 'id',
        live_id: int,
        question: text,
        options: text,
        opened_at: int,
        closed_at: maybe,
        created_by: int,
        client_id: text,
      },
      unique: [['created_by', 'client_id']],
      index: [['live_id', 'id']],
      refers: { live_id: 'live_lessons', created_by: 'users' },
    },
    live_votes: {
      columns: { id: 'id', poll_id: int, user_id: int, choice: { type: 'integer' }, voted_at: int },
      unique: [['poll_id', 'user_id']],
      index: [['user_id', 'id']],
      refers: { poll_id: 'live_polls', user_id: 'users' },
    },
    live_presences: {
      columns: { id: 'id', live_id: int, user_id: int, from_at: int, until_at: int },
      index: [
        ['live_id', 'user_id', 'until_at'],
        ['user_id', 'id'],
      ],
      refers: { live_id: 'live_lessons', user_id: 'users' },
    },
  },
};
