import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '#server/app.ts';
import { type TestApp, type TestUser, testApp } from '#server/test-kit.ts';

/** The loudest log there is, whatever is asked: operators pass logs on, and whoever has a token is its person. */
let t: TestApp;
let app: Awaited<ReturnType<typeof createApp>>;
let student: TestUser;
let said = '';

beforeAll(async () => {
  t = await testApp();
  student = await t.user();
  const lines = new Writable({
    write(line, _encoding, done) {
      said += line;
      done();
    },
  });
  app = await createApp({ ...t.parts, log: pino({ level: 'trace' }, lines) });
});
afterAll(async () => {
  await app.close();
  await t.close();
});

it('writes no token into its log, wherever one came from and however the call ends', async () => {
  const { token } = student;
  const headers = {
    authorization: `Bearer ${token}`,
    cookie: `lixue_session=${token}`,
    referer: `http://x/?token=${token}`,
  };
  const statuses = [];
  for (const request of [
    { url: `/api/user/info?token=${token}` },
    { url: '/api/user/info', headers },
    { url: `/api/exam/exam_list?token=${token}&packId=junk` },
    { url: `/api/nothing?token=${token}`, headers },
    { url: `/app/exam/watch?token=${token}`, headers },
    { url: `/%?token=${token}`, headers },
    { method: 'POST' as const, url: '/api/user/update', payload: { token, nickname: '' } },
    {
      method: 'POST' as const,
      url: '/api/user/update',
      payload: `{"token":"${token}"`,
      headers: { ...headers, 'content-type': 'application/json' },
    },
  ]) {
    statuses.push((await app.inject(request)).statusCode);
  }
  expect(statuses.slice(0, 3)).toEqual([200, 200, 400]);

  // A call that breaks is logged with its error and its stack.
  await t.db.query.schema.alterTable('packs').renameTo('packs_away').execute();
  const broken = await app.inject({ url: `/api/common/course_list?token=${token}`, headers });
  await t.db.query.schema.alterTable('packs_away').renameTo('packs').execute();
  expect(broken.statusCode).toBe(500);
  expect(said).toContain('GET /api/common/course_list');
  expect(said).not.toContain(token);
});
