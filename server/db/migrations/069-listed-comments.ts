import type { Migration } from '../migration.ts';

/**
 * Comments of a pack, and of a lesson, stand in an index in the order of their pages, with all that a page is chosen and counted by: without it each page sorted and read
 * all of them, and a visitor may ask for pages.
 */
export const listedComments: Migration = {
  name: '069-listed-comments',
  sql: [
    `create index comments_listed on comments (pack_id, pinned, id, course_id, lesson_id, hidden, user_id)
      where parent_id is null and deleted_at is null`,
    `create index comments_of_lesson on comments (lesson_id, pinned, id, pack_id, course_id, hidden, user_id)
      where parent_id is null and deleted_at is null`,
    // SQLite would go on counting by it, row by row.
    'drop index comments_pack_id_course_id_lesson_id',
  ],
};
