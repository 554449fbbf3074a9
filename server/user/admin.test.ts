import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestApp, testApp } from '#server/test-kit.ts';
import { createAccount, setDisabled, setPassword, setRole } from './admin.ts';
import { createDemoAccounts, DEMO_PASSWORD, demoStudentIds } from './demo-accounts.ts';
import { newPhone } from './sign-in.test-kit.ts';

describe.each(databases)('accounts of the operator on $name', ({ kind }) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp(kind);
  });
  afterAll(() => t.close());

  const login = (phone: string, password: string) => t.raw('POST /api/user/login', { phone, password });

  it('creates a teacher who can sign in', async () => {
    const phone = newPhone();
    const account = {
      phone: `+86 ${phone}`,
      role: 'teacher',
      nickname: '张老师',
      userName: '张三',
      password: 'teacher-1234',
    } as const;
    expect(await createAccount(t.db, account, t.time.now)).toEqual({ ok: true, userId: expect.any(Number) });
    expect(await login(phone, 'teacher-1234')).toMatchObject({
      data: { user: { role: 'teacher', nickname: '张老师', userName: '张三' } },
    });
    expect(await createAccount(t.db, account, t.time.now)).toEqual({ ok: false, why: 'phoneTaken' });
  });

  it('refuses what sign-in would refuse', async () => {
    const role = 'student';
    expect(await createAccount(t.db, { phone: '123', role }, 0)).toEqual({ ok: false, why: 'phoneWrong' });
    expect(await createAccount(t.db, { phone: newPhone(), role, nickname: ' ' }, 0)).toEqual({
      ok: false,
      why: 'nicknameWrong',
    });
    expect(await createAccount(t.db, { phone: newPhone(), role, password: '1234' }, 0)).toEqual({
      ok: false,
      why: 'passwordWeak',
    });
    expect(await setPassword(t.db, newPhone(), 'long-enough-1')).toEqual({ ok: false, why: 'notFound' });
    expect(await setDisabled(t.db, 'x', true)).toEqual({ ok: false, why: 'phoneWrong' });
    expect(await setRole(t.db, newPhone(), 'teacher')).toEqual({ ok: false, why: 'notFound' });
  });

  it('sets a password, which ends every session', async () => {
    const user = await t.user();
    expect(await setPassword(t.db, user.phone, '123')).toEqual({ ok: false, why: 'passwordWeak' });
    expect(await setPassword(t.db, user.phone, 'long-enough-1')).toEqual({ ok: true, userId: user.userId });
    expect((await t.ok('GET /api/user/info', {}, { as: user })).user).toBeNull();
    expect((await login(user.phone, 'long-enough-1')).code).toBe(200);
  });

  it('changes the role of someone who is signed in', async () => {
    const user = await t.user();
    await setRole(t.db, user.phone, 'teacher');
    expect(await t.ok('GET /api/user/info', {}, { as: user })).toMatchObject({ user: { role: 'teacher' } });
  });

  it('makes the demo accounts once', async () => {
    await createDemoAccounts(t.db, t.time.now);
    await createDemoAccounts(t.db, t.time.now);
    const users = await t.db.query
      .selectFrom('users')
      .select(['id', 'phone', 'role'])
      .where('demo', '=', 1)
      .orderBy('phone')
      .execute();
    expect(users).toMatchObject([
      { phone: '13800000001', role: 'student' },
      { phone: '13800000002', role: 'student' },
      { phone: '13900000001', role: 'teacher' },
    ]);
    expect(await demoStudentIds(t.db)).toEqual(users.slice(0, 2).map(({ id }) => id));
    for (const { phone } of users) expect((await login(phone, DEMO_PASSWORD)).code).toBe(200);
  });

  it('leaves a real account alone that has the number of a demo account', async () => {
    const real = await testApp(kind, true);
    await createAccount(real.db, { phone: '13800000001', role: 'student', password: 'my-own-pass-1' }, 0);
    await createDemoAccounts(real.db, 0);
    expect((await real.raw('POST /api/user/login', { phone: '13800000001', password: DEMO_PASSWORD })).code).toBe(422);
    expect(await demoStudentIds(real.db)).toHaveLength(1);
    await real.close();
  });
});
