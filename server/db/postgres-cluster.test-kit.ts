import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';

/** A PostgreSQL of the test's own, which it may kill. */
export interface Cluster {
  url: string;
  /** Ends the postmaster and all its processes at once, as a power cut would. */
  kill(): Promise<void>;
  /** Ends one connection's process: PostgreSQL then throws everybody out and recovers from its log by itself. */
  killBackend(): Promise<void>;
  /** Starts it again after `kill`; either way waits until it takes connections. */
  recover(): Promise<void>;
  /** Ends it and takes its files away. */
  remove(): Promise<void>;
}

/** The folder of PostgreSQL's own programs; null where they are not installed. */
export function postgresPrograms(): string | null {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? readdirSync(base).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(base, version, 'bin')), ...(process.env.PATH ?? '').split(':')];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null;
}

/** PostgreSQL refuses to run as root: then as the account that its package made. */
function account(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const ask = (what: string) => Number(spawnSync('id', [what, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: ask('-u'), gid: ask('-g') };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The processes that the postmaster started. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // "pid (name) state ppid …"; the name may hold anything.
      const parent = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) \S+ /s, '')
        .split(' ')[0];
      return Number(parent) === pid ? [Number(name)] : [];
    } catch {
      return []; // it ended meanwhile
    }
  });
}

/** Makes and starts a cluster with the settings that PostgreSQL comes with: every commit is flushed. */
export async function startCluster(programs: string): Promise<Cluster> {
  const home = mkdtempSync(join(tmpdir(), 'lixue-postgres-'));
  const who = account();
  if (who.uid !== undefined) chownSync(home, who.uid, who.gid);
  const data = join(home, 'data');
  const made = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'lixue', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...who, cwd: home, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const url = `postgres://lixue@127.0.0.1:${port}/postgres`;
  let postmaster: ChildProcess;

  const start = () => {
    postmaster = spawn(
      join(programs, 'postgres'),
      ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${home}`],
      { ...who, cwd: home, stdio: 'ignore' },
    );
  };
  const isUp = async () => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select 1');
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const recover = async () => {
    const up = async () => {
      // While a process of the one before still ends, the memory they share is in use and a start is refused.
      if (postmaster.exitCode !== null || postmaster.signalCode !== null) start();
      return isUp();
    };
    await expect.poll(up, { timeout: 30_000, interval: 30 }).toBe(true);
  };
  const kill = async () => {
    const { pid } = postmaster;
    if (pid === undefined || postmaster.exitCode !== null) return;
    const children = childrenOf(pid);
    const gone = once(postmaster, 'exit');
    postmaster.kill('SIGKILL');
    for (const child of children) endAtOnce(child);
    await gone;
  };

  start();
  await recover();
  return {
    url,
    kill,
    recover,
    killBackend: async () => {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => undefined);
      await client.connect();
      const { rows } = await client.query<{ pid: number }>(
        "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1",
      );
      for (const { pid } of rows) endAtOnce(pid);
      await client.end().catch(() => undefined);
    },
    remove: async () => {
      await kill();
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}
