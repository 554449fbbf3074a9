import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { HERE, newPhone } from './sign-in.test-kit.ts';
import { keepCode, redeemCode, tryCode } from './sms-code.ts';

const PASSWORD = 'a password 1';

/** What was right is taken back from a limit, and so is what another limit refused (rules/user/limits.ts). */
describe.each(databases)('only failures count on $name', ({ kind }) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp(kind);
  });
  afterAll(() => t.close());
  const events = async (bucket: string) =>
    (await t.db.query.selectFrom('rate_events').select('id').where('bucket', '=', bucket).execute()).length;

  it('a right proof of a person who changes phone or password', async () => {
    const user: TestUser = await t.user();
    const bucket = `proof:${user.userId}`;
    await keepCode(t.db.query, { phone: user.phone, purpose: 'password', asker: HERE }, '123456', t.time.now);
    await t.ok('POST /api/user/password', { smsCode: '123456', newPassword: PASSWORD }, { as: user });
    expect(await events(bucket)).toBe(0);
    const phone = newPhone();
    await keepCode(t.db.query, { phone: user.phone, purpose: 'phone_old', asker: HERE }, '123456', t.time.now);
    await keepCode(t.db.query, { phone: phone, purpose: 'phone_new', asker: HERE }, '654321', t.time.now);
    await t.ok('POST /api/user/update', { phone, oldSmsCode: '123456', newSmsCode: '654321' }, { as: user });
    expect(await events(bucket)).toBe(0);
    const wrong = { oldPassword: 'not this one', newPassword: 'a password 2' };
    expect(await t.refused('POST /api/user/password', wrong, { as: user })).toBe('passwordWrong');
    expect(await events(bucket)).toBe(1);
  });

  it('a right code that a newer one has replaced in the meantime is worth nothing', async () => {
    const phone = newPhone();
    await keepCode(t.db.query, { phone: phone, purpose: 'login', asker: HERE }, '111111', t.time.now);
    const right = await tryCode(t.db.query, { phone: phone, purpose: 'login', asker: HERE }, '111111', t.time.now);
    if (!right) throw new Error('the code was right');
    await keepCode(t.db.query, { phone: phone, purpose: 'login', asker: HERE }, '222222', t.time.now);
    expect(await redeemCode(t.db.query, right)).toBe(false);
    expect(
      await tryCode(t.db.query, { phone: phone, purpose: 'login', asker: HERE }, '222222', t.time.now),
    ).not.toBeNull();
  });
});
