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
