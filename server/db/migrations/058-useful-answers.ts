import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };

/** Who finds an answer useful, and which entries of Q&A a teacher wrote (decision 071). */
export const usefulAnswers: Migration = {
  name: '058-useful-answers',
  tables: {
    qa_useful: {
      columns: { entry_id: int, user_id: int, created_at: int },
      key: ['entry_id', 'user_id'],
      index: [['user_id', 'entry_id']],
      refers: { entry_id: 'qa_entries', user_id: 'users' },
    },
  },
  sql: [
    'alter table qa_entries add column useful_count bigint not null default 0',
    'alter table qa_entries add column by_teacher integer not null default 0',
    "update qa_entries set by_teacher = 1 where kind = 'answer' or (kind = 'comment' and user_id in (select id from users where role = 'teacher'))",
  ],
};
