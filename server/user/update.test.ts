import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { createSession } from './session.ts';
import { codeFor, newPhone, wrongCode } from './sign-in.test-kit.ts';

describe.each(databases)('the own profile on $name', ({ kind }) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp(kind);
  });
  afterAll(() => t.close());

  const update = (as: TestUser, input: Record<string, unknown>) => t.raw('POST /api/user/update', input, { as });
  const secondSession = async (user: TestUser): Promise<TestUser> => {
    const { token } = await createSession(t.db.query, t.parts.random, user.userId, t.time.now);
    return { ...user, token };
  };
  const isSignedIn = async (as: TestUser) => (await t.ok('GET /api/user/info', {}, { as })).user !== null;

  describe('names', () => {
    it('changes nickname and real name, and only what was named', async () => {
      const user = await t.user();
      expect(await update(user, { nickname: ' 小 明 ', userName: '王小明' })).toMatchObject({
        data: { user: { nickname: '小 明', userName: '王小明' } },
      });
      expect(await update(user, { userName: '' })).toMatchObject({
        data: { user: { nickname: '小 明', userName: '' } },
      });
      expect(await t.ok('GET /api/user/info', {}, { as: user })).toMatchObject({
        user: { nickname: '小 明', userName: '' },
      });
      expect((await update(user, {})).code).toBe(200);
    });

    it.each([
      [{ nickname: '' }, 422, 'nickname'],
      [{ nickname: ' \u200b ' }, 422, 'nickname'],
      [{ nickname: '一'.repeat(21) }, 422, 'nickname'],
      [{ userName: '一'.repeat(21) }, 400, 'userName'],
      [{ nickname: 7 }, 400, 'nickname'],
      [{ nickname: 'x'.repeat(101) }, 400, 'nickname'],
    ])('refuses %j', async (input, code, field) => {
      const user = await t.user();
      expect(await update(user, input)).toMatchObject({ code, data: { field } });
    });

    it('stores text as it is: no markup is made of it, nothing breaks', async () => {
      const user = await t.user();
      const nickname = '<b>\'";--\\u0000%';
      expect(await update(user, { nickname })).toMatchObject({ data: { user: { nickname } } });
      expect((await update(user, { nickname: 'a\u0000b' })).data).toMatchObject({ user: { nickname: 'ab' } });
    });
  });

  describe('phone', () => {
    it('changes with codes from the old and the new number, and ends the other sessions', async () => {
      const user = await t.user();
      const elsewhere = await secondSession(user);
      const phone = newPhone();
      const oldSmsCode = await codeFor(t, user.phone, 'phone_old', user);
      const newSmsCode = await codeFor(t, phone, 'phone_new', user);
      expect(await update(user, { phone, oldSmsCode, newSmsCode, nickname: '搬家' })).toMatchObject({
        code: 200,
        data: { user: { validPhoneExt: `${phone.slice(0, 3)}****${phone.slice(7)}`, nickname: '搬家' } },
      });
      expect(await isSignedIn(user)).toBe(true);
      expect(await isSignedIn(elsewhere)).toBe(false);
      // Both codes are used up.
      expect(await update(user, { phone: user.phone, oldSmsCode, newSmsCode })).toMatchObject({
        data: { why: 'smsCodeWrong' },
      });
      t.time.now += 60_000;
      const found = await t.ok('POST /api/user/login', { phone, smsCode: await codeFor(t, phone, 'login') });
      expect(found.user.studentId).toBe(user.userId);
    });

    it('changes nothing when one proof is missing or wrong', async () => {
      const user = await t.user();
      const elsewhere = await secondSession(user);
      const phone = newPhone();
      const oldSmsCode = await codeFor(t, user.phone, 'phone_old', user);
      const newSmsCode = await codeFor(t, phone, 'phone_new', user);
      const wrong: [Record<string, unknown>, string][] = [
        [{ phone }, 'oldSmsCode'],
        [{ phone, newSmsCode }, 'oldSmsCode'],
        [{ phone, oldSmsCode }, 'newSmsCode'],
        [{ phone, oldSmsCode: wrongCode(oldSmsCode), newSmsCode }, 'oldSmsCode'],
        [{ phone, oldSmsCode, newSmsCode: wrongCode(newSmsCode) }, 'newSmsCode'],
        [{ phone: newPhone(), oldSmsCode, newSmsCode }, 'newSmsCode'],
      ];
      for (const [input, field] of wrong) {
        expect(await update(user, { ...input, nickname: '没有' })).toMatchObject({
          code: 422,
          data: { why: 'smsCodeWrong', field },
        });
      }
      const row = await t.db.query
        .selectFrom('users')
        .select(['phone', 'nickname'])
        .where('id', '=', user.userId)
        .executeTakeFirst();
      expect(row).toMatchObject({ phone: user.phone });
      expect(row?.nickname).not.toBe('没有');
      expect(await isSignedIn(elsewhere)).toBe(true);
    });

    it('does not take a number that someone else has, and says so only to who holds it', async () => {
      const [user, other] = [await t.user(), await t.user()];
      const oldSmsCode = await codeFor(t, user.phone, 'phone_old', user);
      expect(await update(user, { phone: other.phone, oldSmsCode, newSmsCode: '000000' })).toMatchObject({
        data: { why: 'smsCodeWrong' },
      });
      const newSmsCode = await codeFor(t, other.phone, 'phone_new', user);
      expect(await update(user, { phone: other.phone, oldSmsCode, newSmsCode })).toMatchObject({
        code: 409,
        data: { why: 'phoneTaken', field: 'phone' },
      });
    });

    it('gives a number to one of two who ask at once', async () => {
      const users = [await t.user(), await t.user()];
      const phone = newPhone();
      const codes: string[] = [];
      for (const user of users) codes.push(await codeFor(t, user.phone, 'phone_old', user));
      const newSmsCode = await codeFor(t, phone, 'phone_new', users[0]);
      const answers = await Promise.all(
        users.map((user, at) => update(user, { phone, oldSmsCode: codes[at], newSmsCode })),
      );
      expect(answers.map(({ code }) => code).sort()[0]).toBe(200);
      expect(answers.filter(({ code }) => code === 200)).toHaveLength(1);
      const owners = await t.db.query.selectFrom('users').select('id').where('phone', '=', phone).execute();
      expect(owners).toHaveLength(1);
    });
  });

  it('is closed to visitors and to other sites', async () => {
    const user = await t.user();
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect(await t.refused('POST /api/user/update', { nickname: '无名' })).toBe('notSignedIn');
    expect(await t.refused('POST /api/user/update', { nickname: '无名' }, { as: user, headers })).toBe('crossSite');
  });
});
