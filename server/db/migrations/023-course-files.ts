import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };
const flag: Column = { type: 'integer', default: 0 };
const orNull = (column: Column): Column => ({ ...column, nullable: true });

/** Files and slides that packs bring, their folders, and who has downloaded what. */
export const courseFiles: Migration = {
  name: '023-course-files',
  tables: {
    course_file_folders: {
      columns: {
        id: 'id',
        pack_id: int,
        parent_id: orNull(int),
        path: text,
        name: text,
        position: { type: 'integer' },
        archived: flag,
      },
      unique: [['pack_id', 'path']],
      refers: { pack_id: 'packs', parent_id: 'course_file_folders' },
    },
    course_files: {
      columns: {
        id: 'id',
        pack_id: int,
        folder_id: orNull(int),
        path: text,
        file_name: text,
        stored: text,
        bytes: int,
        file_group: { type: 'integer' },
        slides: flag,
        position: { type: 'integer' },
        created_at: int,
        archived: flag,
      },
      unique: [['pack_id', 'path']],
      index: [['pack_id', 'folder_id', 'position'], ['stored']],
      refers: { pack_id: 'packs', folder_id: 'course_file_folders' },
    },
    course_file_downloads: {
      columns: { user_id: int, file_id: int, stored: text, downloaded_at: int },
      key: ['user_id', 'file_id'],
      refers: { user_id: 'users', file_id: 'course_files' },
    },
  },
};
