import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };

/** Uploaded pictures, those of feedback, and whose avatar a picture is. */
export const images: Migration = {
  name: '025-images',
  tables: {
    images: {
      columns: {
        file_name: text,
        user_id: int,
        opt: { type: 'integer' },
        file: text,
        size: int,
        created_at: int,
        taken_for: { type: 'text', nullable: true },
      },
      key: ['file_name'],
      index: [['user_id', 'created_at'], ['file'], ['taken_for'], ['created_at']],
      refers: { user_id: 'users' },
    },
    feedback_images: {
      columns: { feedback_id: int, position: { type: 'integer' }, file: text },
      key: ['feedback_id', 'position'],
      index: [['file']],
      refers: { feedback_id: 'exam_feedback' },
    },
  },
  sql: ['create index users_avatar_url on users (avatar_url)'],
};
