import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, createApp } from '#server/app.ts';
import { type TestApp, testApp } from '#server/test-kit.ts';
import { setPassword } from '#server/user/admin.ts';

/** What stands before the server, what it says, and whether the cookie is for https alone. */
const CASES: readonly [proxies: number, publicUrl: string | null, proto: string | null, secure: boolean][] = [
  [0, null, null, false],
  [1, null, 'https', true],
  [1, null, 'http', false],
  // Nobody in front is trusted: a header that anyone can send decides nothing.
  [0, null, 'https', false],
  [0, 'https://lixue.example.cn', null, true],
  [1, 'http://lixue.example.cn', 'https', true],
];

describe('the session cookie', () => {
  let t: TestApp;
  let phone = '';
  beforeAll(async () => {
    t = await testApp();
    phone = (await t.user()).phone;
    await setPassword(t.db, phone, 'a-long-password');
  });
  afterAll(() => t.close());

  it.each(CASES)(
    '%i proxies, PUBLIC_URL %s, X-Forwarded-Proto %s: Secure %s',
    async (proxies, publicUrl, proto, secure) => {
      const app: App = await createApp({ ...t.parts, publicUrl }, { trustProxies: proxies });
      const answer = await app.inject({
        method: 'POST',
        url: '/api/user/login',
        payload: { phone, password: 'a-long-password' },
        headers: proto === null ? {} : { 'x-forwarded-proto': proto },
      });
      await app.close();
      expect(answer.statusCode).toBe(200);
      const [cookie] = answer.cookies;
      expect(cookie).toMatchObject({ name: 'lixue_session', httpOnly: true, sameSite: 'Lax', path: '/' });
      expect(cookie?.secure ?? false).toBe(secure);
    },
  );
});

describe('the size of a body', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp();
  });
  afterAll(() => t.close());
  const post = async (url: string, bytes: number, token?: string) =>
    (
      await t.app.inject({
        method: 'POST',
        url,
        payload: JSON.stringify({ filling: 'x'.repeat(bytes - 14) }),
        headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      })
    ).statusCode;

  it('is small for all but answers, so that nobody can keep the server busy with reading', async () => {
    expect(await post('/api/user/login', 60 * 1024)).toBe(400);
    expect(await post('/api/user/login', 70 * 1024)).toBe(413);
  });

  it('is that of a whole hand-in only for people who are signed in, who are looked up before it is read', async () => {
    const { token } = await t.user();
    expect(await post('/api/exam/submit', 1024 * 1024)).toBe(401);
    expect(await post('/api/exam/submit', 1024 * 1024, 'made-up')).toBe(401);
    expect(await post('/api/exam/submit', 1024 * 1024, token)).toBe(400);
    expect(await post('/api/exam/submit', 3 * 1024 * 1024, token)).toBe(413);
    expect(await post('/api/exam/submit', 1024)).toBe(400);
  });
});
