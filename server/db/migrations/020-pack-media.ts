import type { Migration } from '../migration.ts';

/** Media that packs bring: what a lesson waits for, its subtitles and its own poster (decision 034). */
export const packMedia: Migration = {
  name: '020-pack-media',
  tables: {
    lesson_subtitles: {
      columns: {
        lesson_id: { type: 'bigint' },
        media_id: { type: 'bigint' },
        position: { type: 'integer' },
        language: { type: 'text' },
        label: { type: 'text' },
        file: { type: 'text' },
      },
      key: ['lesson_id', 'media_id', 'position'],
      index: [['file']],
      refers: { lesson_id: 'lessons' },
    },
  },
  sql: [
    'alter table lessons drop column subtitles_source',
    'alter table lessons add column next_media_id bigint',
    'alter table lessons add column pack_media_id bigint',
    "alter table lessons add column poster text not null default ''",
    'create index lessons_next_media on lessons (next_media_id)',
    'alter table media add column released_at bigint',
  ],
};
