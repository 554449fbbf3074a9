import type { Migration } from '../migration.ts';

/** The name that the author of a pack gave a file: people who save it get it under that name. */
export const fileTitles: Migration = {
  name: '008-file-titles',
  sql: ["alter table pack_files add column title text not null default ''"],
};
