import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Ending } from './ending.ts';
import { Gathering, wholeSince } from './gathered.ts';

let app: FastifyInstance;
let ending: Ending;
/** What the handlers were given, in its order: when they began, and since when its body was there (`performance.now()`). */
let handled: { body: unknown; at: number; whole: number | undefined }[];

beforeEach(async () => {
  handled = [];
  app = Fastify();
  const gathering = new Gathering(app, () => performance.now());
  ending = new Ending(app, () => gathering.goOn());
  for (const [path, gathered] of [['/report', true] as const, ['/save', false] as const]) {
    app.post(path, { config: { gathered } }, async (request) => {
      handled.push({ body: request.body, at: performance.now(), whole: wholeSince(request) });
      return request.body;
    });
  }
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => ending.end());

const origin = () => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
const post = (path: string, body: string) =>
  fetch(origin() + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
/** What was sent within this process has come in by then. */
const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setImmediate(next));
};
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('calls that are gathered', () => {
  it('go on at one moment, in the order in which their bodies came, each dated by when it came', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    try {
      const answers = [];
      for (let report = 0; report < 4; report += 1) {
        answers.push(
          app.inject({ method: 'POST', url: '/report', payload: { report } }).then((answer) => answer.json()),
        );
        await turns();
        vi.advanceTimersByTime(20);
      }
      expect(handled).toEqual([]);
      vi.advanceTimersByTime(40);
      const said = await Promise.all(answers);
      expect(said).toEqual([0, 1, 2, 3].map((report) => ({ report })));
      expect(handled.map(({ body }) => body)).toEqual(said);
      const [first = 0] = handled.map(({ whole = 0 }) => whole);
      expect(handled.map(({ whole = 0 }) => whole - first)).toEqual([0, 20, 40, 60]);
      expect(handled.map(({ at }) => at - first)).toEqual([100, 100, 100, 100]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('wait no longer where very many have come: nobody can fill the memory with them, nor keep the server at them', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const answers = Array.from({ length: 100 }, () => app.inject({ method: 'POST', url: '/report', payload: {} }));
      expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual(Array(100).fill(200));
    } finally {
      vi.useRealTimers();
    }
  });

  it('hold up no other call', async () => {
    const report = post('/report', '{"report":1}');
    await pause(10);
    await post('/save', '{"save":1}');
    await report;
    expect(handled.map(({ body }) => body)).toEqual([{ save: 1 }, { report: 1 }]);
    expect(handled.map(({ whole }) => whole !== undefined)).toEqual([false, true]);
  });

  it('are taken of who hangs up as soon as they are sent, as a page does that is closed', async () => {
    const text = '{"report":"the last one"}';
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(
      `POST /report HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
      () => setTimeout(() => socket.destroy(), 20),
    );
    await expect.poll(() => handled.map(({ body }) => body)).toEqual([{ report: 'the last one' }]);
  });

  it('fail alone: what is no JSON, or names a prototype, is refused, and its neighbours are answered', async () => {
    const statuses = await Promise.all(
      ['{"report":', '', '{"__proto__":{"a":1}}', '{"report":1}'].map(
        async (body) => (await post('/report', body)).status,
      ),
    );
    expect(statuses).toEqual([400, 400, 400, 200]);
  });

  it('are answered by a server that ends meanwhile', async () => {
    const report = post('/report', '{"report":1}');
    await pause(20);
    await ending.end();
    expect((await report).status).toBe(200);
  });
});
