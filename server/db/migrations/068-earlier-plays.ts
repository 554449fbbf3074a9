import type { Migration } from '../migration.ts';

/** Numbers of reports are known of some openings of a lesson's player, not of the last one alone: two windows may take turns (decision 031). */
export const earlierPlays: Migration = {
  name: '068-earlier-plays',
  sql: ["alter table lesson_progress add column earlier_plays text not null default '[]'"],
};
