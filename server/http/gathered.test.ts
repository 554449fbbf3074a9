import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Ending } from './ending.ts';
import { readGathered, wholeSince } from './gathered.ts';

let app: FastifyInstance;
let ending: Ending;
/** What the handlers were given, in its order: when they began, and since when its body was there (`performance.now()`). */
let handled: { body: unknown; at: number; whole: number | undefined }[];

beforeEach(async () => {
  handled = [];
  app = Fastify();
  ending = new Ending(app);
  readGathered(app, () => performance.now());
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
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('calls that are gathered', () => {
  it('go on at one moment, in the order in which their bodies came, each dated by when it came', async () => {
    const answers: Promise<Response>[] = [];
    for (let report = 0; report < 4; report += 1) {
      answers.push(post('/report', JSON.stringify({ report })));
      await pause(15);
    }
    const said = await Promise.all(answers.map(async (answer) => (await answer).json()));
    expect(said).toEqual([0, 1, 2, 3].map((report) => ({ report })));
    expect(handled.map(({ body }) => body)).toEqual(said);
    // Of what one timer let go on nothing lies between the first and the last but their own work.
    const dates = handled.map(({ whole }) => whole ?? 0);
    expect(dates).toEqual(dates.toSorted((a, b) => a - b));
    for (const { at, whole = 0 } of handled) expect(whole).toBeLessThan(at);
    expect((dates[3] ?? 0) - (dates[0] ?? 0)).toBeGreaterThan((handled[3]?.at ?? 0) - (handled[0]?.at ?? 0));
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
