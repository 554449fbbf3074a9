import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };
const text: Column = { type: 'text' };
const integer: Column = { type: 'integer' };
const flag: Column = { type: 'integer', default: 0 };
const empty: Column = { type: 'text', default: '' };
const zero: Column = { type: 'bigint', default: 0 };
const orNull = (column: Column): Column => ({ ...column, nullable: true });

/** Questions to teachers with all that is said under them, how they are found, and what teachers keep for answering. */
export const qa: Migration = {
  name: '024-qa',
  tables: {
    qa_entries: {
      columns: {
        id: 'id',
        thread_id: orNull(int),
        parent_id: orNull(int),
        kind: text,
        user_id: int,
        feedback_desc: text,
        platform: flag,
        state: orNull(integer),
        created_at: int,
        edited_at: orNull(int),
        revision: flag,
        hidden: flag,
        held_words: empty,
        deleted_at: orNull(int),
        client_id: orNull(text),
      },
      unique: [['user_id', 'client_id']],
      index: [
        ['thread_id', 'kind', 'id'],
        ['user_id', 'kind', 'id'],
      ],
      refers: { user_id: 'users', thread_id: 'qa_entries', parent_id: 'qa_entries' },
    },
    qa_threads: {
      columns: {
        id: int,
        user_id: int,
        pack_id: int,
        course_id: int,
        lesson_id: orNull(int),
        position: orNull(int),
        question_id: orNull(int),
        record_id: orNull(int),
        feedback_type: integer,
        state: flag,
        waiting: { type: 'integer', default: 1 },
        promised_at: orNull(int),
        due_at: int,
        version: flag,
        teacher_id: orNull(int),
        answered_by: orNull(int),
        listed: flag,
        gone: flag,
        held: flag,
        hidden: flag,
        flag_count: zero,
        comment_count: zero,
        created_at: int,
      },
      key: ['id'],
      index: [['user_id', 'pack_id', 'id'], ['question_id']],
      refers: { id: 'qa_entries', user_id: 'users', pack_id: 'packs', course_id: 'courses' },
    },
    qa_images: {
      columns: { entry_id: int, position: integer, file: text },
      key: ['entry_id', 'position'],
      index: [['file']],
      refers: { entry_id: 'qa_entries' },
    },
    qa_revisions: {
      columns: { entry_id: int, revision: integer, feedback_desc: text, saved_at: int },
      key: ['entry_id', 'revision'],
      refers: { entry_id: 'qa_entries' },
    },
    qa_flags: {
      columns: { thread_id: int, user_id: int, created_at: int },
      key: ['thread_id', 'user_id'],
      index: [['user_id', 'thread_id']],
      refers: { thread_id: 'qa_threads', user_id: 'users' },
    },
    qa_terms: { columns: { pack_id: int, term: int, thread_id: int }, key: ['pack_id', 'term', 'thread_id'] },
    qa_tags: { columns: { id: 'id', tag: text, count: zero }, unique: [['tag']], index: [['count']] },
    qa_thread_tags: {
      columns: { thread_id: int, tag_id: int },
      key: ['thread_id', 'tag_id'],
      index: [['tag_id', 'thread_id']],
      refers: { thread_id: 'qa_threads', tag_id: 'qa_tags' },
    },
    qa_keys: { columns: { keyword: text, people: zero }, key: ['keyword'], index: [['people']] },
    qa_key_people: {
      columns: { keyword: text, user_id: int, searched_at: int },
      key: ['keyword', 'user_id'],
      index: [['searched_at']],
      refers: { user_id: 'users' },
    },
    qa_phrases: {
      columns: { id: 'id', user_id: int, phrase: text, used_at: int },
      index: [['user_id', 'used_at']],
      refers: { user_id: 'users' },
    },
  },
  sql: [
    // What other students see, and what a teacher owes: the lists of a large school are read along these alone.
    'create index qa_threads_listed on qa_threads (pack_id, id) where listed = 1',
    'create index qa_threads_of_course on qa_threads (course_id, id) where listed = 1',
    'create index qa_threads_of_lesson on qa_threads (lesson_id, id) where listed = 1',
    'create index qa_threads_due on qa_threads (due_at, id) where waiting = 1',
    'create index qa_threads_due_in_pack on qa_threads (pack_id, due_at, id) where waiting = 1',
    'create index qa_threads_due_of_type on qa_threads (feedback_type, due_at, id) where waiting = 1',
    'create index qa_threads_due_for on qa_threads (teacher_id, due_at, id) where waiting = 1',
    'create index qa_threads_promised on qa_threads (promised_at) where waiting = 1 and promised_at is not null',
    'create index qa_threads_received on qa_threads (id) where waiting = 0 and state = 1 and feedback_type < 41',
    'create index qa_threads_rest on qa_threads (pack_id, id) where waiting = 0',
    'create index qa_threads_held on qa_threads (id) where held > 0',
    'create index qa_threads_hidden on qa_threads (id) where hidden > 0',
    'alter table notices add column qa_id bigint',
    'create index notices_qa_id on notices (qa_id) where qa_id is not null',
  ],
};
