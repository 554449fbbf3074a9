import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type DbTarget, openDb } from './db/open.ts';
import { createSession } from './user/session.ts';

const url = process.env.TEST_DATABASE_URL ?? '';
const home = mkdtempSync(join(tmpdir(), 'lixue-main-'));
const started = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of started) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  started.clear();
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** No demo: its packs would be loaded at each start. */
const SCHOOL = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'warn',
  SMS_PROVIDER: 'aliyun',
  SMS_ACCESS_KEY_ID: 'id',
  SMS_ACCESS_KEY_SECRET: 'secret',
  SMS_SIGN_NAME: '砺学',
  SMS_TEMPLATE_CODE: 'SMS_1',
  DATABASE_URL: '',
  IDENTITY_SECRET: 'shared by all servers of the school',
  REDIS_URL: '',
  PUBLIC_URL: '',
  TRUST_PROXIES: '0',
};

let folders = 0;
const freshFolder = () => {
  folders += 1;
  return join(home, `data-${folders}`);
};

interface Server {
  child: ChildProcess;
  port: number;
  said(): string;
  /** Sends a signal; @returns the exit code and how long the end took in milliseconds */
  end(signal?: 'SIGTERM' | 'SIGINT'): Promise<{ code: number | null; took: number }>;
}

function run(env: Record<string, string>): { child: ChildProcess; said: () => string } {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...process.env, ...SCHOOL, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes) => {
      text += bytes;
    });
  return { child, said: () => text };
}

async function start(env: Record<string, string>): Promise<Server> {
  const { child, said } = run(env);
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const found = /http:\/\/localhost:(\d+)/.exec(said());
      if (found) resolve(Number(found[1]));
    });
    child.on('exit', () => reject(new Error(`ended at the start: ${said()}`)));
  });
  return {
    child,
    port,
    said,
    end: async (signal = 'SIGTERM') => {
      const began = performance.now();
      child.kill(signal);
      if (child.exitCode === null) await once(child, 'exit');
      return { code: child.exitCode, took: performance.now() - began };
    },
  };
}

/** A start that has to be refused: @returns its exit code and sentence. */
async function refused(env: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const { child, said } = run(env);
  await once(child, 'close');
  return { code: child.exitCode, said: said() };
}

/** A connection whose received text is kept. */
async function open(
  port: number,
): Promise<{ socket: Socket; text: () => string; until: (part: string) => Promise<void> }> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.on('error', () => undefined);
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  return {
    socket,
    text: () => text,
    until: async (part) => {
      while (!text.includes(part)) await once(socket, 'data');
    },
  };
}

/** A whole request with a JSON body. */
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** A signed-in student's token, written beside the running server as the command line does. */
async function tokenIn(folder: string): Promise<string> {
  return tokenOn({ kind: 'sqlite', path: join(folder, 'lixue.db'), busyMs: 5000 });
}

async function tokenOn(target: DbTarget): Promise<string> {
  const db = await openDb(target, Date.now());
  await db.query
    .insertInto('users')
    .values({ phone: '15000000001', password_hash: null, nickname: '学员', role: 'student', created_at: 1 })
    .onConflict((conflict) => conflict.column('phone').doNothing())
    .execute();
  const { id } = await db.query
    .selectFrom('users')
    .select('id')
    .where('phone', '=', '15000000001')
    .executeTakeFirstOrThrow();
  const { token } = await createSession(db.query, randomBytes, id, Date.now());
  await db.close();
  return token;
}

describe('the end of the server', () => {
  it('answers what is under way and leaves nobody hanging: idle sockets, WebSockets that never answer', async () => {
    const folder = freshFolder();
    const server = await start({ DATA_DIR: folder });
    const token = await tokenIn(folder);

    const idle = await open(server.port);
    idle.socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
    await idle.until('{"ok":true}');

    const watching = await open(server.port);
    watching.socket.write(
      `GET /app/exam/watch?recordId=1 HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\nconnection: Upgrade\r\n` +
        'upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await watching.until('101 Switching Protocols');

    const body = '{"phone":"15000000009","password":"wrong-password"}';
    const busy = await open(server.port);
    busy.socket.write(
      `POST /api/user/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n` +
        body.slice(0, 10),
    );
    // Its head has been read once a later request of another connection is answered.
    idle.socket.write('GET /no-such-call.json HTTP/1.1\r\nhost: a\r\n\r\n');
    await idle.until('404 Not Found');

    const ending = server.end();
    await once(idle.socket, 'close');
    busy.socket.write(body.slice(10));
    await busy.until('"code":');
    expect(busy.text()).toMatch(/^HTTP\/1\.1 422 /);

    const { code, took } = await ending;
    expect(code).toBe(0);
    expect(took).toBeLessThan(4000);
    expect(server.said()).not.toMatch(/ended before|"level":50/);
    await expect(open(server.port)).rejects.toThrow('ECONNREFUSED');
  });

  it('answers what comes while it ends, behind a request that is under way, with the envelope', async () => {
    const server = await start({ DATA_DIR: freshFolder() });
    const [idle, busy] = [await open(server.port), await open(server.port)];
    busy.socket.write(post('/api/user/login', '{"phone":"15000000009","password":"wrong-password"}').slice(0, -10));
    // Its head has been read once a later request of another connection is answered.
    idle.socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
    await idle.until('{"ok":true}');
    const ending = server.end();
    await once(idle.socket, 'close');
    busy.socket.write('-password"}'.slice(-10) + post('/api/exam/save_question', '{}'));
    await once(busy.socket, 'close');
    const [first = '', second = ''] = busy.text().split(/(?<=\})(?=HTTP)/);
    expect(first).toMatch(/^HTTP\/1\.1 422 /);
    expect(second).toMatch(/^HTTP\/1\.1 503 .*connection: close/is);
    expect(JSON.parse(second.slice(second.indexOf('{')))).toMatchObject({ code: 503, data: { why: 'cannotSave' } });
    expect((await ending).code).toBe(0);
  });

  it('ends within five seconds whatever was sent by half: the envelope for a body, an end for a head', async () => {
    const server = await start({ DATA_DIR: freshFolder() });
    const [body, head, other] = [await open(server.port), await open(server.port), await open(server.port)];
    body.socket.write(post('/api/user/login', '{"phone":"15000000009"}').slice(0, -10));
    head.socket.write('POST /api/user/login HTTP/1.1\r\nhost: a\r\ncontent-');
    other.socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
    await other.until('{"ok":true}');
    const closed = Promise.all([once(body.socket, 'close'), once(head.socket, 'close')]);
    const { code, took } = await server.end();
    expect([code, head.text()]).toEqual([0, '']);
    expect(took).toBeLessThan(5000);
    await closed;
    const answer = body.text();
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ code: 503, data: { why: 'busy' } });
    expect(server.said()).not.toMatch(/ended before|"level":50/);
  });

  it('takes the Ctrl-C that the terminal and npm both pass on as one', async () => {
    const server = await start({ DATA_DIR: freshFolder() });
    server.child.kill('SIGINT');
    expect((await server.end('SIGINT')).code).toBe(0);
  });
});

describe('the first course of a school', () => {
  it('comes in by the commands that the start prints, word by word', async () => {
    const folder = freshFolder();
    const server = await start({ DATA_DIR: folder });
    await vi.waitFor(() => expect(server.said()).toContain('enrol add'), { timeout: 5000 });
    const sentence = /Your own first course: .*\n(?: {2}npm run lixue -- .*\n){4}/.exec(server.said())?.[0] ?? '';
    const commands = [...sentence.matchAll(/npm run lixue -- (.*)/g)].map(([, words = '']) =>
      words
        .replace('PHONE', '15000000001')
        .replaceAll('questions.xlsx', join(folder, 'questions.xlsx'))
        .match(/"[^"]*"|\S+/g)
        ?.map((word) => word.replaceAll('"', '')),
    );
    expect(commands).toHaveLength(4);
    const { DATABASE_URL } = SCHOOL;
    for (const words of commands) {
      const child = spawn(process.execPath, [join(import.meta.dirname, 'cli.ts'), ...(words ?? [])], {
        env: { ...process.env, DATA_DIR: folder, DATABASE_URL },
        stdio: 'ignore',
      });
      expect(await once(child, 'exit'), words?.join(' ')).toEqual([0, null]);
    }
    const token = await tokenIn(folder);
    const reply = await fetch(`http://127.0.0.1:${server.port}/api/user/course_list`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await reply.json()).toMatchObject({ code: 200, data: { list: [{ packageName: 'My course' }] } });
    await server.end();
  });
});

describe('a disk that fails', () => {
  /** Makes `fdatasync` fail once there is a file `disk-fails` in the data folder, and succeed again after that. */
  const failing = (folder: string) => {
    const path = join(home, 'failing-disk.mjs');
    writeFileSync(
      path,
      "import fs from 'node:fs';\nimport { syncBuiltinESMExports } from 'node:module';\nconst { fdatasync } = fs;\n" +
        'fs.fdatasync = (file, done) => {\n' +
        '  if (!fs.existsSync(process.env.DISK_FAILS)) return fdatasync(file, done);\n' +
        '  fs.rmSync(process.env.DISK_FAILS);\n' +
        "  setImmediate(done, Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));\n" +
        '};\nsyncBuiltinESMExports();\n',
    );
    return { DATA_DIR: folder, NODE_OPTIONS: `--import=${path}`, DISK_FAILS: join(folder, 'disk-fails') };
  };

  it('ends the server with a sentence before anything more is acknowledged; the next one starts from the disk', async () => {
    const folder = freshFolder();
    const server = await start(failing(folder));
    const token = await tokenIn(folder);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const rename = (port: number, nickname: string) =>
      fetch(`http://127.0.0.1:${port}/api/user/update`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ nickname }),
      });
    expect((await rename(server.port, '先前')).status).toBe(200);
    const gone = once(server.child, 'close');
    writeFileSync(join(folder, 'disk-fails'), '');
    const tries = await Promise.allSettled(['甲', '乙', '丙'].map((name) => rename(server.port, name)));
    expect(tries.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await gone;
    expect(server.child.exitCode).toBe(1);
    expect(server.said()).toMatch(
      /Lixue stops: the database log could not be brought to the disk \(EIO: i\/o error, fdatasync\)\. .*start Lixue again\.\n/,
    );
    // The log that was left is in the database, and flushed there, before the next one says that it is open.
    const next = await start({ DATA_DIR: folder });
    expect(statSync(join(folder, 'lixue.db-wal')).size).toBe(0);
    expect((await rename(next.port, '之后')).status).toBe(200);
    expect((await next.end()).code).toBe(0);
  });
});

/** Has the operator switch the student's account off, in a process of its own beside the server. */
async function disableBeside(env: Record<string, string>): Promise<void> {
  const command = spawn(process.execPath, [join(import.meta.dirname, 'cli.ts'), 'user', 'disable', '15000000001'], {
    env: { ...process.env, ...SCHOOL, ...env },
    stdio: 'ignore',
  });
  expect(await once(command, 'close')).toEqual([0, null]);
}

/** Whether the server takes the token for somebody's. */
async function isSignedIn({ port }: Server, token: string): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/user/info`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await answer.json()) as { data: { user: unknown } }).data.user !== null;
}

describe("an operator's command beside the server", () => {
  it('ends a session that the server has in memory', async () => {
    const folder = freshFolder();
    const server = await start({ DATA_DIR: folder });
    const token = await tokenIn(folder);
    // Looked up, and then known.
    for (let asked = 0; asked < 3; asked += 1) expect(await isSignedIn(server, token)).toBe(true);
    await disableBeside({ DATA_DIR: folder });
    await expect.poll(() => isSignedIn(server, token), { timeout: 2000, interval: 20 }).toBe(false);
    await server.end();
  });
});

describe('one folder', () => {
  it('is served by one server; a second one is refused with a sentence, a later one starts', async () => {
    const folder = freshFolder();
    const first = await start({ DATA_DIR: folder });
    const second = await refused({ DATA_DIR: folder });
    expect(second.code).toBe(2);
    expect(second.said).toMatch(/^Lixue does not start: another Lixue server is running on .*DATA_DIR/);
    expect(second.said.trim().split('\n')).toHaveLength(1);
    // Killed without a word, as by a power cut: the sign goes with the process.
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const third = await start({ DATA_DIR: folder });
    expect(readFileSync(join(folder, 'server.lock'))).toHaveLength(0);
    expect(existsSync(join(folder, 'server.lock-journal'))).toBe(false);
    await third.end();
  });
});

describe('a start that cannot work says why in one sentence', () => {
  const file = join(home, 'a-file');
  writeFileSync(file, '');

  it.each<[string, Record<string, string>, RegExp]>([
    ['a DATA_DIR that cannot be written', { DATA_DIR: join(file, 'data') }, /DATA_DIR .* cannot be written \(ENOTDIR/],
    [
      'a database that nobody answers for',
      { DATABASE_URL: 'postgres://lixue:db-password@127.0.0.1:1/lixue' },
      /the database cannot be opened \(.*ECONNREFUSED/,
    ],
    ['a Redis that nobody answers for', { REDIS_URL: 'redis://127.0.0.1:1' }, /REDIS_URL cannot be reached \(.*ECONN/],
    ['a HOST that is not this machine’s', { HOST: '203.0.113.7' }, /cannot listen on 203\.0\.113\.7.*EADDRNOTAVAIL/],
    ['a wrong setting', { TRUST_PROXIES: 'yes' }, /TRUST_PROXIES must be a whole number/],
  ])('%s', async (_what, env, sentence) => {
    const { code, said } = await refused({ DATA_DIR: freshFolder(), ...env });
    expect(code).toBe(2);
    expect(said).toMatch(sentence);
    expect(said).not.toMatch(/db-password|\n\s+at /);
  });

  it('a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const { code, said } = await refused({ DATA_DIR: freshFolder(), PORT: port });
    other.close();
    expect(code).toBe(2);
    expect(said).toContain(`port ${port} is in use. Set PORT to a free one.`);
  });

  it('a database that a newer version has used', async () => {
    const folder = freshFolder();
    await (await openDb({ kind: 'sqlite', path: join(folder, 'lixue.db') }, 1)).close();
    const file = new DatabaseSync(join(folder, 'lixue.db'));
    file.exec("insert into migrations (name, ran_at) values ('900-tomorrow', 1)");
    file.close();
    const { code, said } = await refused({ DATA_DIR: folder });
    expect(code).toBe(2);
    expect(said).toBe(
      'Lixue does not start: a newer version of Lixue has used this database (900-tomorrow). Start that version or a newer one.\n',
    );
  });
});

describe.runIf(url)('on PostgreSQL', () => {
  const admin = new pg.Client({ connectionString: url });
  const name = `lixue_main_${randomBytes(4).toString('hex')}`;
  const own = url ? new URL(url) : null;
  if (own) own.pathname = `/${name}`;
  const DATABASE_URL = own?.href ?? '';
  beforeAll(async () => {
    await admin.connect();
    await admin.query(`create database ${name}`);
  });
  afterAll(async () => {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });
  const ready = async ({ port }: Server) => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;

  it('two servers start at the same moment on an empty database and one folder', async () => {
    // With the demo, which brings the most.
    const env = { DATA_DIR: freshFolder(), DATABASE_URL, NODE_ENV: '', SMS_PROVIDER: '' };
    const both = await Promise.all([start(env), start(env)]);
    for (const server of both) {
      expect(await ready(server)).toBe(200);
      expect(server.said(), 'two of them need Redis').toContain('Without REDIS_URL');
    }
    for (const server of both) expect((await server.end()).code).toBe(0);
  });

  it('outlives the loss of every connection', async () => {
    const server = await start({ DATA_DIR: freshFolder(), DATABASE_URL });
    expect(await ready(server)).toBe(200);
    const lose = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1';
    try {
      // Connections are lost in every state: resting in the pool, just taken out of it, in the middle of a question.
      for (let round = 0; round < 20; round += 1) {
        const asking = Array.from({ length: 30 }, () => ready(server));
        await admin.query(lose, [name]);
        for (const status of await Promise.all(asking)) expect([200, 503]).toContain(status);
      }
      while ((await ready(server)) !== 200);
    } catch (error) {
      throw new Error(server.said(), { cause: error });
    }
    expect((await server.end()).code).toBe(0);
  });

  it("ends a session at once by an operator's command beside it", async () => {
    const server = await start({ DATA_DIR: freshFolder(), DATABASE_URL });
    const token = await tokenOn({ kind: 'postgres', url: DATABASE_URL });
    for (let asked = 0; asked < 3; asked += 1) expect(await isSignedIn(server, token)).toBe(true);
    await disableBeside({ DATABASE_URL });
    expect(await isSignedIn(server, token)).toBe(false);
    await server.end();
  });

  it('refuses a database that a newer version has used', async () => {
    const inside = new pg.Client({ connectionString: DATABASE_URL });
    await inside.connect();
    await inside.query("insert into migrations (name, ran_at) values ('900-tomorrow', 1)");
    await inside.end();
    const { code, said } = await refused({ DATA_DIR: freshFolder(), DATABASE_URL });
    expect([code, said]).toEqual([2, expect.stringContaining('a newer version of Lixue has used this database')]);
  });
});
