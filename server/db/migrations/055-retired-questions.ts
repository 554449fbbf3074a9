import type { Migration } from '../migration.ts';

/** Questions that a person has taken out, which no import brings back (decision 068). */
export const retiredQuestions: Migration = {
  name: '055-retired-questions',
  sql: ["alter table questions add column retired text not null default ''"],
};
