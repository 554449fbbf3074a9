import type { Column, Migration } from '../migration.ts';

const int: Column = { type: 'bigint' };

/** What papers and reviews of students need further: knowledge points, and which question stands for another in a review. */
export const ownPapers: Migration = {
  name: '014-own-papers',
  tables: {
    stand_ins: {
      columns: { exam_id: int, question_id: int, for_question_id: int },
      key: ['exam_id', 'question_id'],
      refers: { exam_id: 'exams', question_id: 'questions', for_question_id: 'questions' },
    },
  },
  sql: [
    'alter table questions add column knowledge_point text',
    'create index questions_knowledge_point on questions (pack_id, knowledge_point)',
    // Papers that nobody began are looked for by their age.
    'create index own_papers_made on own_papers (made_at)',
  ],
};
