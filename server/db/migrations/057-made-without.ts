import type { Migration } from '../migration.ts';

/**
 * What an own paper, or a copy of one's data, was made without, so that what knows an answer is not given while its question is sat, and the
 * knowledge points that a question had before a correction (decision 070).
 */
export const madeWithout: Migration = {
  name: '057-made-without',
  sql: [
    "alter table own_papers add column sat text not null default '[]'",
    "alter table data_exports add column sat text not null default '[]'",
    'alter table question_revisions add column knowledge_point text',
    'create index question_revisions_knowledge_point on question_revisions (knowledge_point) where knowledge_point is not null',
  ],
};
