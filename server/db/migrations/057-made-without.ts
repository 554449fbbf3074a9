import type { Migration } from '../migration.ts';

/**
 * What an own paper was put together without, so that a paper which knows an answer is not begun while its question is sat, and the
 * knowledge points that a question had before a correction (decision 070).
 */
export const madeWithout: Migration = {
  name: '057-made-without',
  sql: [
    "alter table own_papers add column sat text not null default '[]'",
    'alter table question_revisions add column knowledge_point text',
    'create index question_revisions_knowledge_point on question_revisions (knowledge_point) where knowledge_point is not null',
  ],
};
