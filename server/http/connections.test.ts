import { connect } from 'node:net';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, createApp } from '#server/app.ts';
import { testApp } from '#server/test-kit.ts';

/** Connections as an attacker holds them: opened, and never finished. */
const kit = await testApp();
let app: App;
let port = 0;
beforeAll(async () => {
  const patience = { head: 150, request: 300, silence: 500, idle: 200, look: 50 };
  app = await createApp({ ...kit.parts, metrics: new Registry() }, { patience, metrics: true });
  port = await app.listen(0, '127.0.0.1');
});
afterAll(async () => {
  await app.close();
  await kit.close();
});

/**
 * Sends bytes and keeps its own half of the connection open whatever the server says.
 * @returns what the server said until it destroyed the connection: a reset, since a half that was only ended would stay
 */
function hold(text: string, every?: string): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let drip: NodeJS.Timeout | undefined;
    socket.on('connect', () => {
      socket.write(text);
      // Not before: on a busy machine it would come ahead of the text.
      if (every !== undefined) drip = setInterval(() => socket.write(every), 20);
    });
    socket.on('data', (bytes) => {
      said += bytes.toString();
    });
    // After the server's end it is still written to: only a connection that is destroyed there answers with an error.
    socket.on('end', () => {
      const writes = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(writes));
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(drip);
      resolve(said);
    });
  });
}

it('half a head, dripped on, is destroyed', async () => {
  expect(await hold('GET / HTTP/1.1\r\nhost: a\r\n', 'x: y\r\n')).toMatch(/^HTTP\/1.1 408 /);
});

it('half a body, dripped on, is destroyed', async () => {
  const head =
    'POST /api/user/logout HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 50000\r\n\r\n';
  expect(await hold(head, ' ')).toMatch(/^HTTP\/1.1 408 /);
});

it('what is no HTTP is destroyed', async () => {
  expect(await hold('\x16\x03\x01 hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
});

it('a connection that says nothing at all is destroyed', async () => {
  expect(await hold('')).toMatch(/^$|^HTTP\/1.1 408 /);
});

it('one that has its answer and asks nothing more is closed', async () => {
  expect(await hold('GET /api/user/info HTTP/1.1\r\nhost: a\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
});

/** The statuses of the answers to requests that one connection asks one after the other, then closes. */
function statuses(...requests: readonly string[]): Promise<number[]> {
  return new Promise((resolve) => {
    const got: number[] = [];
    const socket = connect({ port, host: '127.0.0.1' });
    const ask = () => {
      const next = requests[got.length];
      if (next === undefined) socket.end();
      else socket.write(next);
    };
    socket.on('connect', ask);
    // One that is silent is a failure, which is to be seen at once.
    socket.setTimeout(3000, () => socket.destroy());
    socket.on('data', (bytes) => {
      const [, status] = /^HTTP\/1\.1 (\d+)/.exec(bytes.toString()) ?? [];
      if (status === undefined) return;
      got.push(Number(status));
      ask();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(got));
  });
}

const PLAIN = 'GET /api/user/info HTTP/1.1\r\nhost: a\r\n\r\n';
const UPGRADE = 'host: a\r\nconnection: Upgrade\r\nupgrade: ';

it.each([
  ['a call', 'GET /api/user/info', 'websocket', 200],
  ['a page', 'GET /', 'websocket', 404],
  ['a file', 'GET /files/none', 'websocket', 404],
  ['the health check', 'GET /healthz', 'h2c', 200],
  ['the address of a socket, to something else', 'GET /app/exam/watch?recordId=1', 'h2c', 404],
  ['the address of a socket, by another method', 'POST /app/exam/watch', 'websocket', 404],
])(
  'asked for an upgrade at %s, a connection goes on as it was: behind a proxy others ask by it next',
  async (_, line, protocol, status) => {
    expect(await statuses(`${line} HTTP/1.1\r\n${UPGRADE}${protocol}\r\n\r\n`, PLAIN)).toEqual([status, 200]);
  },
);

it('a body that never comes in whole is destroyed where an upgrade was asked for, too', async () => {
  const head = `POST /api/user/logout HTTP/1.1\r\n${UPGRADE}websocket\r\ncontent-type: application/json\r\ncontent-length: 50000\r\n\r\n`;
  expect(await hold(head, ' ')).toMatch(/^HTTP\/1.1 408 /);
});

it('a socket that is refused is closed', async () => {
  expect(await hold(`GET /app/exam/watch?recordId=1 HTTP/1.1\r\n${UPGRADE}websocket\r\n\r\n`)).toMatch(
    /^HTTP\/1.1 401 [\s\S]*connection: close/i,
  );
});

const answersIn = (said: string) => said.match(/HTTP\/1\.1 200 /g)?.length ?? 0;

it('a few requests that are sent before their answers came are answered in order', async () => {
  expect(answersIn(await hold(PLAIN.repeat(4)))).toBe(4);
});

it('who sends requests on and on without waiting for answers is cut off: each would be kept in memory', async () => {
  expect(answersIn(await hold(PLAIN.repeat(200)))).toBeLessThan(20);
});

/** A report as a player sends it: it waits in front of the framework. */
const report = (body: string, type = 'application/json') =>
  `POST /app/course/report_duration HTTP/1.1\r\nhost: a\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

it.each([
  ['no JSON', report('{"packId":'), 400, 'badInput'],
  ['not what the call takes', report('{}'), 400, 'badInput'],
  ['another type', report('{}', 'text/csv'), 415, 'wrongType'],
])('a report that is %s is refused with the envelope', async (_what, sent, status, why) => {
  expect(await hold(sent)).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*"why":"${why}"`));
});

it('who sends reports on and on without waiting for answers is cut off', async () => {
  expect((await hold(report('{}').repeat(200))).match(/HTTP\/1\.1 /g)?.length ?? 0).toBeLessThan(20);
});

it('what a report waited counts as time that its answer took', async () => {
  const slow = async () => {
    const said = await hold('GET /metrics HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    const count = (of: string) =>
      Number(new RegExp(`_seconds_${of}path="/app/course/save_position",status="400"} (\\d+)`).exec(said)?.[1] ?? 0);
    return count('count{') - count('bucket{le="0.05",');
  };
  const before = await slow();
  await hold(report('{}').replace('report_duration', 'save_position'));
  expect((await slow()) - before).toBe(1);
});
