import { connect, type Socket } from 'node:net';
import websocket from '@fastify/websocket';
import Fastify, { type FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { socket } from '#contract/socket.ts';
import type { SignedIn } from './answer.ts';
import { makeServeSocket } from './socket.ts';

const Chatter = socket('/app/test/chatter', {
  says: 'Sends what it is told to.',
  source: 'a test',
  who: 'user',
  input: Type.Object({}),
  message: Type.Object({ text: Type.String() }),
  limits: { waiting: 1_000_000, opensPerMinute: 3 },
});

let app: FastifyInstance;
let port = 0;
const connections: Socket[] = [];
let closed: () => void = () => undefined;
let send: (message: { text: string }) => void = () => undefined;
beforeAll(async () => {
  app = Fastify();
  await app.register(async (scope) => {
    await scope.register(websocket);
    const findSession = async (token: string): Promise<SignedIn> => ({
      userId: Number(token),
      role: 'student',
      tokenHash: token,
    });
    makeServeSocket(scope, { clock: Date.now, findSession, publicUrl: null, peopleChanges: () => 0 })(
      Chatter,
      async (opened) => {
        send = opened.send;
        opened.onClose(() => closed());
      },
    );
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  port = Number(new URL(address).port);
});
afterAll(async () => {
  for (const connection of connections) connection.destroy();
  await app.close();
});

const opening = (userId: number) =>
  `GET /app/test/chatter HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${userId}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
  'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

/** Opens a socket as somebody; @returns what the server says first, and the connection. */
async function open(userId: number) {
  const connection = connect(port, '127.0.0.1');
  connections.push(connection);
  connection.on('error', () => undefined);
  connection.write(opening(userId));
  const said = await new Promise<string>((resolve) => connection.once('data', (bytes) => resolve(bytes.toString())));
  return { said, connection };
}

it('a window that reads nothing is cut off when more waits for it than is declared', async () => {
  const { said, connection } = await open(1);
  expect(said).toMatch(/^HTTP\/1.1 101 /);
  connection.pause();
  const gone = new Promise<void>((resolve) => {
    closed = resolve;
  });
  let cut = false;
  void gone.then(() => {
    cut = true;
  });
  // What the system itself keeps of a connection is a few megabytes: far less than this.
  let sent = 0;
  for (; sent < 600 && !cut; sent += 1) {
    send({ text: 'x'.repeat(100_000) });
    await new Promise((wake) => setImmediate(wake));
  }
  await gone;
  // Counted here: the memory of the process holds what other tests in it have left, too.
  expect(sent * 100_000).toBeLessThan(50_000_000);
  connection.destroy();
});

it('one person opens so many in a minute and no more; another is not in their way', async () => {
  for (let opened = 0; opened < 3; opened += 1) expect((await open(2)).said).toMatch(/^HTTP\/1.1 101 /);
  const { said } = await open(2);
  expect(said).toMatch(/^HTTP\/1.1 429 /);
  expect(said).toContain('"why":"tooMany"');
  expect((await open(3)).said).toMatch(/^HTTP\/1.1 101 /);
});
