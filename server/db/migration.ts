import type { Kysely } from 'kysely';

/** A column as a migration writes it: not null unless said so. `bigint` holds ids and milliseconds. */
export interface Column {
  type: 'text' | 'integer' | 'bigint' | 'double';
  nullable?: boolean;
  default?: string | number;
}

/** One table: `'id'` is the generated primary key. */
export interface Table {
  columns: Record<string, Column | 'id'>;
  key?: readonly string[];
  unique?: readonly (readonly string[])[];
  index?: readonly (readonly string[])[];
  /** Column to the table whose id it holds. */
  refers?: Record<string, string>;
}

/** One step forward: new tables, then plain statements that run on both databases, then what they cannot work out. */
export interface Migration {
  name: string;
  tables?: Record<string, Table>;
  sql?: readonly string[];
  /** Fills what is new from what is there. Writes SQL as it is at that step: the tables go on changing later. */
  fill?: (trx: Kysely<never>) => Promise<void>;
}
