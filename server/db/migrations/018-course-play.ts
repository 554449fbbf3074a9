import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };
const number: Column = { type: 'double' };
const flag: Column = { type: 'integer', default: 0 };
const empty: Column = { type: 'text', default: '' };
const zero: Column = { type: 'bigint', default: 0 };
const orNull = (column: Column): Column => ({ ...column, nullable: true });

/** Lessons, what students have seen of them, their notes, and comments. */
export const coursePlay: Migration = {
  name: '018-course-play',
  tables: {
    lessons: {
      columns: {
        id: 'id',
        pack_id: int,
        course_id: int,
        chapter_id: orNull(int),
        slug: text,
        name: text,
        level: { type: 'integer' },
        position: { type: 'integer' },
        kind: text,
        elective: flag,
        trial: flag,
        credits: { type: 'double', default: 0 },
        profile: empty,
        body: empty,
        media_source: empty,
        slides_source: empty,
        subtitles_source: empty,
        media_id: orNull(int),
        duration: zero,
        ppt_url: empty,
        after_id: orNull(int),
        archived: flag,
      },
      unique: [['pack_id', 'slug']],
      index: [['media_id']],
      refers: { pack_id: 'packs', course_id: 'courses', chapter_id: 'chapters' },
    },
    lesson_practices: {
      columns: {
        lesson_id: int,
        position: { type: 'integer' },
        exam_slug: text,
        credits: { type: 'double', default: 0 },
      },
      key: ['lesson_id', 'position'],
      refers: { lesson_id: 'lessons' },
    },
    lesson_progress: {
      columns: {
        user_id: int,
        lesson_id: int,
        pack_id: int,
        position: number,
        watched: zero,
        reached_end: flag,
        finished_at: orNull(int),
        play_id: empty,
        last_seq: zero,
        seen_seqs: zero,
        first_at: int,
        last_at: int,
        covered: { type: 'text', default: '[]' },
      },
      key: ['user_id', 'lesson_id'],
      index: [['user_id', 'pack_id']],
      refers: { user_id: 'users', lesson_id: 'lessons' },
    },
    study_clocks: {
      columns: { user_id: int, spent_until: int },
      key: ['user_id'],
      refers: { user_id: 'users' },
    },
    lesson_notes: {
      columns: {
        id: 'id',
        user_id: int,
        pack_id: int,
        lesson_id: int,
        position: int,
        note: text,
        created_at: int,
        updated_at: int,
      },
      index: [['user_id', 'pack_id', 'lesson_id']],
      refers: { user_id: 'users', lesson_id: 'lessons' },
    },
    comments: {
      columns: {
        id: 'id',
        user_id: int,
        pack_id: int,
        course_id: int,
        lesson_id: orNull(int),
        parent_id: orNull(int),
        comment: text,
        created_at: int,
        pinned: flag,
        hidden: flag,
        deleted_at: orNull(int),
        praise_count: zero,
      },
      index: [
        ['pack_id', 'course_id', 'lesson_id'],
        ['lesson_id', 'id'],
        ['parent_id', 'id'],
      ],
      refers: { user_id: 'users', pack_id: 'packs', parent_id: 'comments' },
    },
    comment_praises: {
      columns: { comment_id: int, user_id: int, created_at: int },
      key: ['comment_id', 'user_id'],
      refers: { comment_id: 'comments', user_id: 'users' },
    },
  },
  sql: ['alter table packs add column score_state integer not null default 0'],
};
