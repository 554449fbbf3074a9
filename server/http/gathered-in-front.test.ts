import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Ending } from './ending.ts';
import { Gathering, waitedInFront, wholeSince } from './gathered.ts';
import { boundPipelining } from './pipelining.ts';

let app: FastifyInstance;
let ending: Ending;
/** Requests that have come, and those that the framework has heard of. */
let come: number;
let heard: number;
/** What the handlers were given, in their order. */
let handled: unknown[];
let dated: { whole: number | undefined; waited: number }[];
let sockets: Socket[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  [come, heard, handled, dated, sockets] = [0, 0, [], [], []];
  app = Fastify({ bodyLimit: 100_000 });
  const gathering = new Gathering(app, () => performance.now());
  app.addHook('onRequest', (_request, _reply, done) => {
    heard += 1;
    done();
  });
  boundPipelining(app);
  ending = new Ending(app, () => gathering.goOn());
  app.post('/report', { config: { gathered: true } }, async (request) => {
    handled.push(request.body);
    dated.push({ whole: wholeSince(request), waited: waitedInFront(request) });
    return { took: request.body, type: request.headers['content-type'] };
  });
  app.get('/report', async () => 'read');
  await app.listen({ port: 0, host: '127.0.0.1' });
  app.server.on('request', () => {
    come += 1;
  });
});
afterEach(async () => {
  vi.useRealTimers();
  for (const socket of sockets) socket.destroy();
  await ending.end();
});

const TYPE = 'content-type: application/json\r\n';
/** A request as it goes on the wire. */
const wire = (body: string, { head = TYPE, line = 'POST /report HTTP/1.1' } = {}) =>
  `${line}\r\nhost: a\r\n${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

function open(): Socket {
  const socket = connect({ port: (app.server.address() as AddressInfo).port, host: '127.0.0.1', noDelay: true });
  sockets.push(socket);
  return socket.on('error', () => undefined);
}
/** Sends on a connection of its own. @returns what comes back until the server closes it */
function send(sent: string): Promise<string> {
  const socket = open();
  const said = text(socket).catch(() => '');
  socket.write(sent);
  return said;
}
const closing = (body: string) => send(wire(body, { head: `${TYPE}connection: close\r\n` }));
const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setImmediate(next));
};
const whenCome = async (count: number) => {
  while (come < count) await turns();
  await turns();
};
const statusOf = (said: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(said)?.[1]);
const bodyOf = (said: string) => said.slice(said.indexOf('\r\n\r\n') + 4);

describe('gathered calls whose body comes with their head', () => {
  it('wait in front of the framework, and go on at one moment in the order in which they came', async () => {
    const answers: Promise<string>[] = [];
    for (const report of [0, 1, 2, 3]) {
      answers.push(closing(JSON.stringify({ report })));
      await whenCome(report + 1);
      vi.advanceTimersByTime(20);
    }
    expect(heard).toBe(0);
    vi.advanceTimersByTime(20);
    const said = await Promise.all(answers);
    expect(handled).toEqual([0, 1, 2, 3].map((report) => ({ report })));
    expect(said.map(bodyOf)).toEqual(handled.map((took) => JSON.stringify({ took, type: 'application/json' })));
    const [{ whole: first = 0 } = {}] = dated;
    expect(dated.map(({ whole = 0, waited }) => [whole - first, waited])).toEqual([
      [0, 100],
      [20, 80],
      [40, 60],
      [60, 40],
    ]);
  });

  it('wait no longer where very many have come', async () => {
    const answers = Array.from({ length: 230 }, () => closing('{}'));
    await whenCome(230);
    await Promise.all(answers.slice(0, 200));
    expect(handled.length).toBe(200);
    vi.advanceTimersByTime(100);
    expect((await Promise.all(answers)).map(statusOf)).toEqual(Array(230).fill(200));
  });

  it.each([
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['closes', (socket: Socket) => socket.destroy()],
    ['ends its half', (socket: Socket) => socket.end()],
  ])('are taken of who %s the connection as soon as they are sent', async (_how, leave) => {
    app.server.on('connection', (socket: Socket) => socket.on('close', () => (come += 1)));
    const socket = open();
    socket.write(wire('{"report":"the last one"}'));
    await whenCome(1);
    leave(socket);
    await whenCome(2);
    vi.advanceTimersByTime(100);
    await turns();
    expect(handled).toEqual([{ report: 'the last one' }]);
  });

  it('are answered at once by a server that ends meanwhile', async () => {
    const said = send(wire('{"report":1}'));
    await whenCome(1);
    const end = ending.end();
    expect(statusOf(await said)).toBe(200);
    await end;
  });

  it('are answered in order where one connection sends a few, and cut off where it sends on and on', async () => {
    const few = send(wire('{}').repeat(4));
    await whenCome(4);
    vi.advanceTimersByTime(100);
    await turns();
    sockets[0]?.end();
    expect((await few).match(/HTTP\/1\.1 200 /g)).toHaveLength(4);
    const many = send(wire('{}').repeat(200));
    await many;
    expect(handled.length).toBeLessThan(20);
  });
});

describe('gathered calls whose body does not come with their head', () => {
  it('wait behind it', async () => {
    const read = new Promise((resolve) =>
      app.server.once('request', (request: IncomingMessage) => request.once('end', resolve)),
    );
    const socket = open();
    const said = once(socket, 'data');
    const sent = wire('{"report":1}');
    socket.write(sent.slice(0, -5));
    await whenCome(1);
    expect(heard).toBe(1);
    vi.advanceTimersByTime(500);
    socket.write(sent.slice(-5));
    await read;
    await turns();
    expect(handled).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(statusOf(String(await said))).toBe(200);
    expect(dated).toMatchObject([{ waited: 0 }]);
  });

  it('are not half-read where it is given up', async () => {
    const gone = new Promise<IncomingMessage>((resolve) =>
      app.server.once('request', (request) => request.once('close', () => resolve(request))),
    );
    const socket = open();
    socket.write(wire('{"report":1}').slice(0, -1));
    await whenCome(1);
    socket.destroy();
    expect((await gone).complete).toBe(false);
    vi.advanceTimersByTime(100);
    await turns();
    expect(handled).toEqual([]);
  });
});

const chunked = (body: string) =>
  `POST /report HTTP/1.1\r\nhost: a\r\n${TYPE}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

/** What is sent, and the status of the answer. */
const kinds: readonly (readonly [name: string, sent: string, status: number])[] = [
  ['what is JSON', wire('{"a":"题"}'), 200],
  ['what says its signs', wire('{}', { head: 'content-type: application/json; charset=utf-8\r\n' }), 200],
  ['what is cut short', wire('{"a":'), 400],
  ['nothing', wire(''), 400],
  ['a prototype', wire('{"__proto__":{"a":1}}'), 400],
  ['a constructor', wire('{"constructor":{"prototype":{}}}'), 400],
  ['another type', wire('a=1', { head: 'content-type: application/x-www-form-urlencoded\r\n' }), 415],
  ['no type', wire('{}', { head: '' }), 415],
  ['text, which the framework knows', wire('{}', { head: 'content-type: text/plain\r\n' }), 200],
  ['the type that is ours inside', wire('{}', { head: 'content-type: application/x-read-in-front\r\n' }), 415],
  ['a long body', wire(JSON.stringify({ a: 'a'.repeat(20_000) })), 200],
  ['one that is too long', wire(JSON.stringify({ a: 'a'.repeat(200_000) })), 413],
  ['one of unknown length', chunked('{"a":1}'), 200],
  ['more than its length', `${wire('{}')}{"a":1}`, 400],
  ['two lengths', wire('{}', { head: `${TYPE}content-length: 3\r\n` }), 400],
  ['a question mark', wire('{}', { line: 'POST /report?a=1 HTTP/1.1' }), 200],
  ['another spelling', wire('{}', { line: 'POST /repor%74 HTTP/1.1' }), 200],
  ['another address', wire('{}', { line: 'POST /reports HTTP/1.1' }), 404],
  ['another method', wire('{}', { line: 'GET /report HTTP/1.1' }), 200],
  ['a wish to switch', wire('{}', { head: `${TYPE}connection: upgrade\r\nupgrade: h2c\r\n` }), 200],
  ['a wish to be asked for its body', wire('{}', { head: `${TYPE}expect: 100-continue\r\n` }), 200],
];

describe('of a gathered call', () => {
  it.each(kinds)('%s is answered alike whether it comes at once or piece by piece', async (_name, sent, status) => {
    vi.useRealTimers();
    const behindHead = sent.indexOf('\r\n\r\n') + 4;
    const answers = await Promise.all([sent.length, behindHead, behindHead + 1].map((at) => answerTo(sent, at)));
    expect(answers.map(statusOf)).toEqual([status, status, status]);
    expect(new Set(answers).size).toBe(1);
  });
});

/** The answer to what is sent in two pieces, but for its date. */
function answerTo(sent: string, cutAt: number): Promise<string> {
  const socket = open();
  let said = '';
  return new Promise((resolve) => {
    const end = () => resolve(said.replace(/^date: .*\r\n/im, '').replace('HTTP/1.1 100 Continue\r\n\r\n', ''));
    socket.on('close', end);
    socket.setEncoding('utf8').on('data', (more: string) => {
      said += more;
      if (/HTTP\/1\.1 [2-5]\d\d (?:.*\r\n)+\r\n./.test(said)) end();
    });
    socket.write(sent.slice(0, cutAt));
    void turns().then(() => socket.write(sent.slice(cutAt)));
  });
}
