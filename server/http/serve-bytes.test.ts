import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeServeBytes } from './serve-bytes.ts';

/** Answers that have begun and go on for ever, as to who reads nothing. */
const app = Fastify({ forceCloseConnections: true });
let origin = '';
beforeAll(async () => {
  const serveBytes = makeServeBytes(app, { clock: () => 0, findSession: async () => null });
  serveBytes({ path: '/data/', says: '', source: '' }, async ({ id, part }) => ({
    ...{ person: id === 9 ? null : id, size: 1000, etag: '"a"', modifiedAt: 0, type: 'text/plain', headers: {} },
    read: async () => {
      const bytes = new Readable({ read: () => undefined });
      bytes.push(part === 'whole' ? 'a'.repeat(1000) : 'a');
      if (part === 'whole') bytes.push(null);
      return bytes;
    },
  }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(() => app.close());

it('one person has so many answers with bytes under way and no more; others, and what is through, are not counted', async () => {
  const leaves: AbortController[] = [];
  // Kept: an answer that nobody holds is given up by who fetched it.
  const held: Response[] = [];
  const begin = async (path: string) => {
    const leave = new AbortController();
    leaves.push(leave);
    const answer = await fetch(`${origin}/data/${path}`, { signal: leave.signal });
    held.push(answer);
    return answer.status;
  };
  const whole = async (path: string) => {
    const answer = await fetch(`${origin}/data/${path}/whole`);
    return [answer.status, (await answer.text()).length];
  };
  for (let at = 0; at < 70; at += 1) expect(await whole('3')).toEqual([200, 1000]);
  expect(await Promise.all(Array.from({ length: 60 }, () => begin('1/hangs')))).toEqual(Array(60).fill(200));
  const refused = await fetch(`${origin}/data/1/hangs`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await refused.json()).toMatchObject({ data: { why: 'tooMany' } });
  expect(await whole('2')).toEqual([200, 1000]);
  expect(await Promise.all(Array.from({ length: 61 }, () => begin('9/hangs')))).toEqual(Array(61).fill(200));
  expect(held).toHaveLength(121);
  for (const leave of leaves) leave.abort();
  // All places are free again.
  const anew = async () => {
    const statuses = await Promise.all(Array.from({ length: 60 }, () => begin('1/hangs')));
    for (const leave of leaves) leave.abort();
    return statuses;
  };
  await expect.poll(anew).toEqual(Array(60).fill(200));
});
