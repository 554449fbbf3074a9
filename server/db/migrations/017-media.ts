import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };
const orNull = (column: Column): Column => ({ ...column, nullable: true });

/** Jobs, and the videos and sounds that the first kind of job makes playable. */
export const media: Migration = {
  name: '017-media',
  tables: {
    jobs: {
      columns: {
        id: 'id',
        kind: text,
        key: text,
        input: text,
        state: text,
        priority: int,
        percent: orNull(int),
        attempts: { ...int, default: 0 },
        run_at: int,
        fence: { ...int, default: 0 },
        owner: orNull(text),
        heartbeat_at: orNull(int),
        cancel: { type: 'integer', default: 0 },
        reason: { ...text, default: '' },
        created_at: int,
        started_at: orNull(int),
        ended_at: orNull(int),
      },
      index: [['state', 'run_at'], ['ended_at']],
    },
    media: {
      columns: {
        id: 'id',
        source: text,
        source_bytes: int,
        title: text,
        state: text,
        reason: { ...text, default: '' },
        kind: orNull(text),
        duration_ms: orNull(int),
        poster: orNull(text),
        thumbnails: orNull(text),
        thumbnail_grid: orNull(text),
        created_at: int,
        ready_at: orNull(int),
      },
      unique: [['source']],
      index: [['poster'], ['thumbnails']],
    },
    media_renditions: {
      columns: {
        media_id: int,
        name: text,
        file: text,
        key: text,
        width: orNull(int),
        height: orNull(int),
        frame_rate: orNull({ type: 'double' }),
        codecs: text,
        bandwidth: int,
        average_bandwidth: int,
        duration_ms: int,
        segments: text,
        retired_at: orNull(int),
      },
      key: ['media_id', 'name'],
      index: [['file']],
      refers: { media_id: 'media' },
    },
  },
  sql: [
    // Asked for twice while it waits, it is one job; and of one key one runs at a time, whoever claims.
    "create unique index jobs_waiting on jobs (kind, key) where state = 'waiting'",
    "create unique index jobs_running on jobs (kind, key) where state = 'running'",
  ],
};
