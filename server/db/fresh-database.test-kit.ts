import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type DbTarget, openDb } from './open.ts';

/** A database of a test's own, empty and migrated. Close what has it open, then `remove` it. */
interface FreshDatabase {
  target: DbTarget;
  remove(): Promise<void>;
}

/** The name of this run's templates (vitest.config.ts gives one); without a run there is nobody who would remove them. */
const run = () => process.env.TEST_RUN;
const sqliteTemplate = () => join(tmpdir(), `lixue-template-${run()}.db`);
const postgresTemplate = () => `lixue_template_${run()}`;
const migratedAt = Date.UTC(2026, 10, 20);

/**
 * An empty database with all migrations, copied from one that is migrated once in a run: to migrate takes
 * a second, to copy a tenth of it, and there are hundreds. That migrations do what they should is shown in migrate.test.ts.
 * @param path of the SQLite file; PostgreSQL gets a database beside the one that TEST_DATABASE_URL names
 */
export async function freshDatabase(kind: 'sqlite' | 'postgres', path: string): Promise<FreshDatabase> {
  if (kind === 'sqlite') {
    if (run()) copyFileSync(await ofSqlite(), path);
    return { target: { kind, path }, remove: async () => rmSync(path, { force: true }) };
  }
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = run() ? ` template ${await ofPostgres()}` : '';
  await asAdmin((admin) => admin.query(`create database ${name}${template}`));
  return {
    target: { kind, url: urlOf(name) },
    remove: () => asAdmin(async (admin) => void (await admin.query(`drop database ${name} with (force)`))),
  };
}

/** Removes the templates of this run, at its end. */
export async function removeTemplates(): Promise<void> {
  rmSync(sqliteTemplate(), { force: true });
  if (process.env.TEST_DATABASE_URL)
    await asAdmin(async (admin) => {
      for (const name of [postgresTemplate(), `${postgresTemplate()}_making`])
        await admin.query(`drop database if exists ${name} with (force)`);
    });
}

async function ofSqlite(): Promise<string> {
  const path = sqliteTemplate();
  if (existsSync(path)) return path;
  // Under a name of its own, so that another process never copies half of it.
  const making = `${path}-${randomBytes(6).toString('hex')}`;
  await (await openDb({ kind: 'sqlite', path: making }, migratedAt)).close();
  renameSync(making, path);
  return path;
}

let postgres: Promise<string> | null = null;
function ofPostgres(): Promise<string> {
  postgres ??= asAdmin(async (admin) => {
    const name = postgresTemplate();
    const isThere = async () => (await admin.query('select 1 from pg_database where datname = $1', [name])).rowCount;
    if (await isThere()) return name;
    await admin.query('select pg_advisory_lock(7105142)');
    if (await isThere()) return name;
    // Of a process that was killed while it made it.
    await admin.query(`drop database if exists ${name}_making with (force)`);
    await admin.query(`create database ${name}_making`);
    await (await openDb({ kind: 'postgres', url: urlOf(`${name}_making`) }, migratedAt)).close();
    await admin.query(`alter database ${name}_making rename to ${name}`);
    return name;
  });
  return postgres;
}

function urlOf(database: string): string {
  const url = new URL(process.env.TEST_DATABASE_URL ?? '');
  url.pathname = `/${database}`;
  return url.href;
}

async function asAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}
