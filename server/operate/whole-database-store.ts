import { sql } from 'kysely';
import type { Query } from '#server/db/open.ts';
import type { Counts } from './counts.ts';

/** Counts the rows of every table. */
export async function countRows(query: Query, kind: 'sqlite' | 'postgres'): Promise<Counts> {
  const names =
    kind === 'sqlite'
      ? sql<{
          name: string;
        }>`select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`;
  const counts: Counts = {};
  for (const { name } of (await names.execute(query)).rows.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(query);
    counts[name] = Number(rows[0]?.n ?? 0);
  }
  return counts;
}

/** Copies a SQLite database in use into a new file: one read transaction, a state between two commits. Savers are not held up by it. */
export async function copyInto(query: Query, path: string): Promise<void> {
  await sql`vacuum into ${path}`.execute(query);
}

/** What SQLite finds wrong in a database file, at most five faults; null: it is whole. */
export async function integrityFaults(query: Query): Promise<string[] | null> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(5)`.execute(query);
  const faults = rows.map((row) => row.integrity_check);
  return faults[0] === 'ok' ? null : faults;
}

/** The time of a PostgreSQL in epoch milliseconds. */
export async function databaseTime(query: Query): Promise<number> {
  const { rows } = await sql<{ at: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as at`.execute(
    query,
  );
  return Math.round(Number(rows[0]?.at));
}

/** The newest time that stands in the database: of a migration, a sign-in or the start of an exam. 0: none does. */
export async function newestTime(query: Query): Promise<number> {
  const newest = await sql<{ at: number | null }>`select max(at) as at from (
    select max(ran_at) as at from migrations union all select max(created_at) from sessions
    union all select max(started_at) from exam_records) as times`.execute(query);
  return Number(newest.rows[0]?.at ?? 0);
}

/** How many papers are still open although their time was over before `before`. */
export async function countOverdue(query: Query, before: number): Promise<number> {
  const { count } = await query
    .selectFrom('exam_records')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('submitted_at', 'is', null)
    .where('ends_at', '<', before)
    .executeTakeFirstOrThrow();
  return Number(count);
}
