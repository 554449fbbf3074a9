import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Refused } from '#server/command.ts';
import type { Counts } from './counts.ts';

type Tool = 'pg_dump' | 'pg_restore';

/** Settings of a connection address that PostgreSQL's own programs take from the environment. */
const SETTINGS: Record<string, string> = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  options: 'PGOPTIONS',
  host: 'PGHOST',
};

/** The environment by which PostgreSQL's programs reach a database. Nothing of it shows in the list of processes. */
function connection(url: string): NodeJS.ProcessEnv {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const env: NodeJS.ProcessEnv = { ...process.env };
  const set = (name: string, value: string) => {
    if (value) env[name] = value;
  };
  set('PGHOST', decodeURIComponent(hostname).replace(/^\[|\]$/g, ''));
  set('PGPORT', port);
  set('PGUSER', decodeURIComponent(username));
  set('PGPASSWORD', decodeURIComponent(password));
  set('PGDATABASE', decodeURIComponent(pathname.slice(1)));
  for (const [name, value] of searchParams) if (SETTINGS[name]) set(SETTINGS[name], value);
  return env;
}

/** Whether a PostgreSQL program is on PATH. */
export async function isThere(tool: Tool): Promise<boolean> {
  const child = spawn(tool, ['--version'], { stdio: 'ignore' });
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}

/**
 * Runs a PostgreSQL program and hears its lines.
 * @throws Refused with its own last complaint when it fails
 */
async function run(tool: Tool, args: string[], url: string | null, hear?: (line: string) => void): Promise<void> {
  const child = spawn(tool, args, {
    env: url === null ? process.env : connection(url),
    stdio: ['ignore', hear ? 'pipe' : 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    complaint = `${complaint}${piece}`.slice(-2000);
  });
  const ended = once(child, 'close');
  if (hear && child.stdout) for await (const line of createInterface({ input: child.stdout })) hear(line);
  const [code] = await ended;
  if (code !== 0) throw new Refused(`${tool} 失败：${complaint.trim().split('\n').at(-1) ?? `退出码 ${code}`}`);
}

/** Writes a consistent dump of a database in use, in pg_dump's own compressed format. */
export async function dump(url: string, path: string): Promise<void> {
  await run('pg_dump', ['--format=custom', '--no-owner', '--no-acl', `--file=${path}`, '--no-password'], url);
}

/** Loads a dump into an empty database, whole or not at all. */
export async function load(url: string, path: string): Promise<void> {
  const database = decodeURIComponent(new URL(url).pathname.slice(1));
  const how = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-acl', '--no-password'];
  await run('pg_restore', [...how, `--dbname=${database}`, path], url);
}

/** Reads a dump from its beginning to its end and counts the rows of each table in it. */
export async function countDumped(path: string): Promise<Counts> {
  const counts: Counts = {};
  let table: string | null = null;
  await run('pg_restore', ['--data-only', '--file=-', path], null, (line) => {
    if (table !== null) {
      if (line === '\\.') table = null;
      else counts[table] = (counts[table] ?? 0) + 1;
      return;
    }
    const [, name] = /^COPY (?:[^ .]+\.)?"?([^ ".]+)"? \(.*FROM stdin;$/.exec(line) ?? [];
    if (name === undefined) return;
    table = name;
    counts[name] ??= 0;
  });
  return counts;
}
