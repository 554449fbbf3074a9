import type { Migration } from '../migration.ts';

/** Live lessons in the room of this site: how far each is, and where its stream comes in. */
export const liveRoom: Migration = {
  name: '043-live-room',
  tables: {
    live_streams: {
      columns: {
        live_id: { type: 'bigint' },
        stream: { type: 'text' },
        stream_key: { type: 'text' },
        first_part: { type: 'text' },
        fault: { type: 'text' },
        warnings: { type: 'text' },
        replay_fault: { type: 'text' },
        replay_parts: { type: 'text' },
      },
      key: ['live_id'],
      unique: [['stream'], ['stream_key']],
      refers: { live_id: 'live_lessons' },
    },
  },
  sql: [
    'alter table live_lessons add column started_at bigint',
    'alter table live_lessons add column ended_at bigint',
    'alter table live_lessons add column heard_at bigint',
    'alter table live_lessons add column over_at bigint',
    'alter table live_lessons add column replay_media_id bigint',
    'create index live_lessons_replay on live_lessons (replay_media_id)',
  ],
};
