import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { setPassword } from './admin.ts';
import { createSession } from './session.ts';
import { codeFor } from './sign-in.test-kit.ts';

const OLD = 'old-password-1';
const NEW = 'new-password-2';

describe.each(databases)('the own password on $name', ({ kind }) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp(kind);
  });
  afterAll(() => t.close());

  const change = (as: TestUser, input: Record<string, unknown>) => t.raw('POST /api/user/password', input, { as });
  const secondSession = async (user: TestUser): Promise<TestUser> => {
    const { token } = await createSession(t.db.query, t.parts.random, user.userId, t.time.now);
    return { ...user, token };
  };
  const withPassword = async () => {
    const user = await t.user();
    await setPassword(t.db, user.phone, OLD);
    return secondSession(user);
  };
  const isSignedIn = async (as: TestUser) => (await t.ok('GET /api/user/info', {}, { as })).user !== null;
  const byPassword = async (phone: string, password: string) =>
    (await t.raw('POST /api/user/login', { phone, password })).code;

  it('changes against the old one, and ends the other sessions', async () => {
    const user = await withPassword();
    const elsewhere = await secondSession(user);
    expect((await change(user, { oldPassword: OLD, newPassword: NEW })).code).toBe(200);
    expect(await isSignedIn(user)).toBe(true);
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect(await byPassword(user.phone, OLD)).toBe(422);
    expect(await byPassword(user.phone, NEW)).toBe(200);
    const row = await t.db.query
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', user.userId)
      .executeTakeFirst();
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('is set by an SMS code, once', async () => {
    const user = await t.user();
    const elsewhere = await secondSession(user);
    const smsCode = await codeFor(t, user.phone, 'password', user);
    expect((await change(user, { smsCode, newPassword: NEW })).code).toBe(200);
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect(await change(user, { smsCode, newPassword: OLD })).toMatchObject({ data: { why: 'smsCodeWrong' } });
    expect(await t.ok('GET /api/user/info', {}, { as: user })).toMatchObject({ user: { hasPassword: 1 } });
    expect(await byPassword(user.phone, NEW)).toBe(200);
  });

  it('changes once when the same code comes five times at once', async () => {
    const user = await t.user();
    const smsCode = await codeFor(t, user.phone, 'password', user);
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) => change(user, { smsCode, newPassword: `password-no-${n}` })),
    );
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1);
  });

  it('needs a proof, and a code of another purpose is none', async () => {
    const user = await withPassword();
    const elsewhere = await secondSession(user);
    expect(await change(user, { newPassword: NEW })).toMatchObject({ code: 422, data: { why: 'passwordWrong' } });
    expect(await change(user, { oldPassword: 'wrong-1234', newPassword: NEW })).toMatchObject({
      msg: '密码不正确',
    });
    const smsCode = await codeFor(t, user.phone, 'phone_old', user);
    expect(await change(user, { smsCode, newPassword: NEW })).toMatchObject({ data: { why: 'smsCodeWrong' } });
    const bare = await t.user();
    expect(await change(bare, { oldPassword: 'no password', newPassword: NEW })).toMatchObject({
      data: { why: 'passwordWrong' },
    });
    expect(await isSignedIn(elsewhere)).toBe(true);
    expect(await byPassword(user.phone, OLD)).toBe(200);
  });

  it('is not weak', async () => {
    const user = await withPassword();
    for (const newPassword of ['short-1', '12345678', 'abcdefgh']) {
      expect(await change(user, { oldPassword: OLD, newPassword })).toMatchObject({
        code: 422,
        data: { why: 'passwordWeak', field: 'newPassword' },
      });
    }
  });

  it('cannot be guessed from a stolen session: ten wrong proofs an hour', async () => {
    const user = await withPassword();
    for (let n = 0; n < 10; n += 1) {
      expect((await change(user, { oldPassword: `wrong-${n}`, newPassword: NEW })).code).toBe(422);
    }
    expect(await change(user, { oldPassword: OLD, newPassword: NEW })).toMatchObject({
      code: 429,
      data: { why: 'tooMany' },
    });
  });

  it.each([
    {},
    { newPassword: '' },
    { newPassword: 'x'.repeat(201) },
    { newPassword: 12345678 },
    { newPassword: null },
    'junk',
  ])('refuses junk: %j', async (input) => {
    const answer = await t.raw('POST /api/user/password', input, { as: await t.user() });
    expect(answer.code).toBeGreaterThanOrEqual(400);
    expect(answer.code).toBeLessThan(500);
  });

  it('is closed to visitors and to other sites', async () => {
    const user = await t.user();
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect(await t.refused('POST /api/user/password', { newPassword: NEW })).toBe('notSignedIn');
    expect(await t.refused('POST /api/user/password', { newPassword: NEW }, { as: user, headers })).toBe('crossSite');
  });
});
