import { createHmac, timingSafeEqual } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callback } from '#contract/callback.ts';
import { type TestApp, testApp } from '#server/test-kit.ts';
import { buildWebServer, type WebServer } from './web-server.ts';

const Paid = callback('/notify/test', {
  says: 'A provider of a test says that something was paid.',
  source: 'a test',
  bodyLimit: 2000,
  limits: { perMinute: 20 },
});
const KEY = 'shared with the provider';
const sign = (body: Buffer) => createHmac('sha256', KEY).update(body).digest('hex');

describe('a callback of a provider, over HTTP', () => {
  let kit: TestApp;
  let server: WebServer;
  let url = '';
  const taken: string[] = [];
  beforeAll(async () => {
    kit = await testApp();
    server = await buildWebServer({
      durability: { weak: () => null, chores: [] },
      parts: kit.parts,
      findSession: async () => null,
      mayOpenPack: async () => ({ ok: true }),
      fileOwners: [],
      // Who sends: so each test has its own allowance.
      trustProxies: 1,
      routes: (_serve, _serveSocket, serveCallback) => {
        serveCallback(Paid, async ({ body, headers, arrivedAt }) => {
          const given = Buffer.from(String(headers['x-signature'] ?? ''), 'hex');
          const right = Buffer.from(sign(body), 'hex');
          if (given.length !== right.length || !timingSafeEqual(given, right))
            return { status: 401, type: 'text/plain', body: 'fail' };
          if (body.includes('break')) throw new Error('the work failed');
          taken.push(`${body.toString('utf8')} ${arrivedAt === kit.time.now}`);
          return { status: 200, type: 'text/xml', body: '<ok/>' };
        });
      },
    });
    url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}/notify/test`;
  });
  afterAll(async () => {
    await server.close();
    await kit.close();
  });

  let sender = 0;
  const post = (body: string | Buffer, headers: Record<string, string> = {}) => {
    const bytes = Buffer.from(body as string);
    return fetch(url, {
      method: 'POST',
      body: bytes as never,
      headers: { 'x-forwarded-for': `10.0.0.${sender}`, 'x-signature': sign(bytes), ...headers },
    });
  };

  it.each([
    ['JSON with blanks that its signature is over', '{ "a" : 1 ,\r\n "b":2}', 'application/json'],
    ['JSON that is none', '{"a":', 'application/json'],
    ['XML', '<xml><![CDATA[支付]]></xml>', 'text/xml'],
    ['a form', 'a=1&a=2&b=%E6%94%AF', 'application/x-www-form-urlencoded'],
    ['bytes of no type that anybody knows', 'x', 'application/x-none'],
    ['nothing', '', 'application/json'],
  ])('hands on the bytes as they came: %s', async (_, body, type) => {
    sender = 1;
    const before = taken.length;
    const answer = await post(body, {
      'content-type': type,
      origin: 'https://pay.example.com',
      'sec-fetch-site': 'cross-site',
    });
    expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([
      200,
      '<ok/>',
      'text/xml; charset=utf-8',
    ]);
    expect(taken.slice(before)).toEqual([`${body} true`]);
  });

  it('answers what its handler says of a wrong signature, and a bare 500 when the work fails', async () => {
    sender = 2;
    const refused = await post('{"a":1}', { 'x-signature': '00' });
    expect([refused.status, await refused.text()]).toEqual([401, 'fail']);
    const failed = await post('break');
    expect([failed.status, await failed.text()]).toEqual([500, '']);
  });

  it('refuses what is too large unread, what comes too often, and other methods, without an envelope', async () => {
    sender = 3;
    const large = await post('x'.repeat(2001));
    expect([large.status, await large.text()]).toEqual([413, '']);
    const statuses: number[] = [];
    for (let turn = 0; turn < 25; turn += 1) statuses.push((await post('{}')).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
    // Another machine of the provider is not held up by that.
    sender = 4;
    expect((await post('{}')).status).toBe(200);
    expect((await fetch(url)).status).toBe(404);
  });

  it('leaves calls beside it as they are: JSON is parsed, and answered in the envelope', async () => {
    const reply = await server.inject({
      method: 'POST',
      url: '/api/none',
      payload: '{',
      headers: { 'content-type': 'application/json' },
    });
    expect(reply.json()).toMatchObject({ code: expect.any(Number), data: { why: expect.any(String) } });
  });
});
