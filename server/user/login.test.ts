import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '#server/app.ts';
import { databases, type TestApp, type TestUser, testApp } from '#server/test-kit.ts';
import { createAccount, setDisabled, setPassword } from './admin.ts';
import { createDemoAccounts, DEMO_PASSWORD } from './demo-accounts.ts';
import { hashToken } from './session.ts';
import { codeFor, newPhone, repeatEvents, ticketFor, wrongCode } from './sign-in.test-kit.ts';

const DAY = 24 * 60 * 60 * 1000;
const PASSWORD = 'long-enough-1';

describe.each(databases)('login on $name', ({ kind }) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp(kind);
  });
  afterAll(() => t.close());

  const withPassword = async (role: 'student' | 'teacher' = 'student') => {
    const phone = newPhone();
    await createAccount(t.db, { phone, role, password: PASSWORD }, t.time.now);
    return phone;
  };
  const login = (input: Record<string, unknown>, sender?: Parameters<TestApp['raw']>[2]) =>
    t.raw('POST /api/user/login', input, sender);
  const info = async (token: string) => (await t.ok('GET /api/user/info', {}, { as: { token } as TestUser })).user;

  describe('by SMS code', () => {
    it('makes a student of a new number', async () => {
      const phone = newPhone();
      const data = await t.ok('POST /api/user/login', { phone, smsCode: await codeFor(t, phone, 'login') });
      expect(data.user).toEqual({
        studentId: expect.any(Number),
        userName: '',
        nickname: `同学${phone.slice(-4)}`,
        avatarUrlExt: '',
        validPhoneExt: `${phone.slice(0, 3)}****${phone.slice(7)}`,
        role: 'student',
        hasPassword: 0,
        closesAt: null,
      });
      expect(await info(data.token)).toEqual(data.user);
    });

    it('finds a known number again, however it is written', async () => {
      const phone = newPhone();
      const first = await t.ok('POST /api/user/login', { phone, smsCode: await codeFor(t, phone, 'login') });
      t.time.now += 60_000;
      const smsCode = ` ${await codeFor(t, phone, 'login')} `;
      const second = await t.ok('POST /api/user/login', {
        phone: `+86 ${phone.slice(0, 3)}-${phone.slice(3)}`,
        smsCode,
      });
      expect(second.user.studentId).toBe(first.user.studentId);
    });

    it('refuses a wrong code and a number that was sent none', async () => {
      const phone = newPhone();
      const code = await codeFor(t, phone, 'login');
      expect(await login({ phone, smsCode: wrongCode(code) })).toMatchObject({
        code: 422,
        msg: '验证码不正确或已过期',
      });
      expect(await login({ phone: newPhone(), smsCode: code })).toMatchObject({ data: { why: 'smsCodeWrong' } });
      const made = await t.db.query.selectFrom('users').select('id').where('phone', '=', phone).execute();
      expect(made).toHaveLength(0);
    });

    it('asks for the slider after three wrong codes', async () => {
      const phone = newPhone();
      const code = await codeFor(t, phone, 'login');
      for (let n = 0; n < 3; n += 1) {
        expect(await login({ phone, smsCode: wrongCode(code) })).toMatchObject({ data: { why: 'smsCodeWrong' } });
      }
      expect(await login({ phone, smsCode: code })).toMatchObject({ code: 403, data: { why: 'ticketNeeded' } });
      const ticket = await ticketFor(t, 'login', phone);
      expect((await login({ phone, smsCode: code, ticket })).code).toBe(200);
    });
  });

  describe('by password', () => {
    it('signs in', async () => {
      const phone = await withPassword('teacher');
      expect(await login({ phone, password: PASSWORD })).toMatchObject({
        code: 200,
        data: { user: { role: 'teacher', hasPassword: 1, nickname: `同学${phone.slice(-4)}` } },
      });
    });

    it('says the same of an unknown phone, a wrong password and an account without one', async () => {
      const known = await withPassword();
      const { phone: bare } = await t.user();
      const answers = [];
      for (const phone of [known, newPhone(), bare]) answers.push(await login({ phone, password: 'wrong-one-2' }));
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(answers[0]).toMatchObject({ code: 422, msg: '手机号或密码不正确', data: { why: 'loginWrong' } });
    });

    it('takes as long for an unknown phone as for a known one', async () => {
      const known = await withPassword();
      const timed = async (phone: string) => {
        const started = performance.now();
        await login({ phone, password: 'wrong-one-2' });
        return performance.now() - started;
      };
      await timed(newPhone()); // makes the dummy
      const [unknown, wrong]: number[][] = [[], []];
      for (let n = 0; n < 3; n += 1) {
        unknown?.push(await timed(newPhone()));
        wrong?.push(await timed(known));
      }
      // Without the dummy work an unknown phone is answered in a tenth of the time.
      expect(Math.min(...(unknown ?? []))).toBeGreaterThan(Math.min(...(wrong ?? [])) * 0.4);
    });

    it('asks for the slider after three failures, of unknown numbers too, and takes each ticket once', async () => {
      for (const phone of [await withPassword(), newPhone()]) {
        for (let n = 0; n < 3; n += 1) expect((await login({ phone, password: 'wrong-one-2' })).code).toBe(422);
        expect(await login({ phone, password: PASSWORD })).toMatchObject({ code: 403, data: { why: 'ticketNeeded' } });
        const ticket = await ticketFor(t, 'login', phone);
        expect((await login({ phone, password: 'wrong-one-2', ticket })).code).toBe(422);
        expect(await login({ phone, password: PASSWORD, ticket })).toMatchObject({ data: { why: 'ticketNeeded' } });
        const other = await ticketFor(t, 'sms_code', phone);
        expect(await login({ phone, password: PASSWORD, ticket: other })).toMatchObject({
          data: { why: 'ticketNeeded' },
        });
      }
    });

    it('forgives failures after a right login', async () => {
      const phone = await withPassword();
      for (let round = 0; round < 2; round += 1) {
        for (let n = 0; n < 3; n += 1) expect((await login({ phone, password: 'wrong-one-2' })).code).toBe(422);
        const ticket = await ticketFor(t, 'login', phone);
        expect((await login({ phone, password: PASSWORD, ticket })).code).toBe(200);
      }
      expect((await login({ phone, password: PASSWORD })).code).toBe(200);
    });

    it('stops strangers after thirty failures an hour for one number; its person gets in by code and on a known device', async () => {
      const phone = await withPassword();
      const home = { headers: { cookie: 'lixue_device=home' } };
      expect((await login({ phone, password: PASSWORD }, home)).code).toBe(200);
      await login({ phone, password: 'wrong-one-2' });
      // Earned before it becomes dear: the test has not the time.
      const smsCode = await codeFor(t, phone, 'login');
      const tickets = [await ticketFor(t, 'login', phone), await ticketFor(t, 'login', phone)];
      await repeatEvents(t, `login:${phone}`, 28);
      const ticketed = (password: string) => login({ phone, password, ticket: tickets.pop() });
      expect((await ticketed('wrong-one-2')).code).toBe(422);
      expect(await ticketed(PASSWORD)).toMatchObject({ code: 429, data: { why: 'tooMany' } });
      expect((await login({ phone, password: PASSWORD }, home)).code).toBe(200);
      expect((await login({ phone, smsCode })).code).toBe(200);
    });

    it('lets in by a ticket whoever is not known where a number is under attack', async () => {
      const phone = await withPassword();
      await login({ phone, password: 'wrong-one-2' });
      await repeatEvents(t, `login:${phone}`, 10);
      expect(await login({ phone, password: PASSWORD })).toMatchObject({ data: { why: 'ticketNeeded' } });
      const ticket = await ticketFor(t, 'login', phone);
      expect((await login({ phone, password: PASSWORD, ticket })).code).toBe(200);
    });

    it('counts a known device by itself: ten failures an hour, then it is as any other', async () => {
      const phone = await withPassword();
      const home = { headers: { cookie: 'lixue_device=with-a-guesser' } };
      expect((await login({ phone, password: PASSWORD }, home)).code).toBe(200);
      for (let n = 0; n < 3; n += 1) expect((await login({ phone, password: 'wrong-one-2' }, home)).code).toBe(422);
      expect(await login({ phone, password: PASSWORD }, home)).toMatchObject({ data: { why: 'ticketNeeded' } });
      expect(await login({ phone, password: 'wrong-one-2' })).toMatchObject({ data: { why: 'loginWrong' } });
      for (let n = 0; n < 7; n += 1) {
        const ticket = await ticketFor(t, 'login', phone, home);
        expect((await login({ phone, password: 'wrong-one-2', ticket }, home)).code).toBe(422);
      }
      const failures = async () =>
        (await t.db.query.selectFrom('rate_events').select('id').where('bucket', '=', `login:${phone}`).execute())
          .length;
      expect(await failures()).toBe(1);
      expect((await login({ phone, password: 'wrong-one-2' }, home)).code).toBe(422);
      expect(await failures()).toBe(2);
    });

    it('knows no device any more once the password was set anew', async () => {
      const phone = await withPassword();
      const lost = { headers: { cookie: 'lixue_device=lost' } };
      expect((await login({ phone, password: PASSWORD }, lost)).code).toBe(200);
      await setPassword(t.db, phone, PASSWORD);
      await login({ phone, password: 'wrong-one-2' });
      await repeatEvents(t, `login:${phone}`, 2);
      expect(await login({ phone, password: PASSWORD }, lost)).toMatchObject({ data: { why: 'ticketNeeded' } });
    });

    it('looks at no more than thirty of forty guesses made at once', async () => {
      const phone = newPhone();
      const tickets: string[] = [];
      for (let n = 0; n < 40; n += 1) tickets.push(await ticketFor(t, 'login', phone));
      const answers = await Promise.all(tickets.map((ticket) => login({ phone, password: 'wrong-one-2', ticket })));
      expect(answers.filter(({ code }) => code === 422).length).toBeLessThanOrEqual(30);
      expect(answers.filter(({ code }) => code === 429).length).toBeGreaterThanOrEqual(7);
    });
  });

  it('1,100 wrong codes for random numbers shut nobody out behind the same address', async () => {
    const campus = await testApp(kind);
    const phone = newPhone();
    await createAccount(campus.db, { phone, role: 'student', password: PASSWORD }, campus.time.now);
    const home = { headers: { cookie: 'lixue_device=home' } };
    const ask = (input: object, sender = {}) => campus.raw('POST /api/user/login', input, sender);
    expect((await ask({ phone, password: PASSWORD }, home)).code).toBe(200);
    const guesses: string[] = [];
    const guess = async () => {
      const { code, data } = await ask({ phone: newPhone(), smsCode: '000000' });
      guesses.push(code === 200 ? 'in' : (data as { why: string }).why);
    };
    for (let n = 0; n < 22; n += 1) await Promise.all(Array.from({ length: 50 }, guess));
    expect(new Set(guesses)).toEqual(new Set(['smsCodeWrong', 'ticketNeeded']));
    expect(guesses.filter((why) => why === 'ticketNeeded').length).toBeGreaterThanOrEqual(1000);
    expect((await ask({ phone, password: PASSWORD }, home)).code).toBe(200);
    expect(await ask({ phone, password: PASSWORD })).toMatchObject({ data: { why: 'ticketNeeded' } });
    const ticket = await ticketFor(campus, 'login', phone);
    expect((await ask({ phone, password: PASSWORD, ticket })).code).toBe(200);
    expect((await ask({ phone, smsCode: await codeFor(campus, phone, 'login') })).code).toBe(200);
    await campus.close();
    // So many questions to a database take their time on a machine that is busy with other tests.
  }, 60_000);

  describe('sessions', () => {
    it('are a cookie that scripts cannot read, and only its hash is stored', async () => {
      const phone = await withPassword();
      const answer = await t.app.inject({
        method: 'POST',
        url: '/api/user/login',
        payload: { phone, password: PASSWORD },
      });
      const cookie = answer.cookies.find(({ name }) => name === 'lixue_session');
      expect(cookie).toMatchObject({ name: 'lixue_session', httpOnly: true, sameSite: 'Lax', path: '/' });
      expect(cookie?.secure).toBeUndefined();
      const token = answer.json<{ data: { token: string } }>().data.token;
      expect(cookie?.value).toBe(token);
      expect(Buffer.from(token, 'base64url')).toHaveLength(32);
      const stored = await t.db.query.selectFrom('sessions').selectAll().execute();
      expect(stored.map((row) => row.token_hash)).toContain(hashToken(token));
      expect(JSON.stringify(stored)).not.toContain(token);
    });

    it('are Secure cookies behind an https address', async () => {
      const phone = await withPassword();
      const app = await createApp({ ...t.parts, publicUrl: 'https://lixue.example.cn' });
      const answer = await app.inject({
        method: 'POST',
        url: '/api/user/login',
        payload: { phone, password: PASSWORD },
      });
      expect(answer.cookies.map(({ name }) => name).sort()).toEqual(['__Host-lixue_device', '__Host-lixue_session']);
      for (const cookie of answer.cookies) {
        expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: 'Lax', path: '/' });
        expect(cookie.domain).toBeUndefined();
      }
      await app.close();
    });

    it('of the plain name are taken once over https, and get the name that no other host can set', async () => {
      const { token } = await t.user();
      const app = await createApp({ ...t.parts, publicUrl: 'https://lixue.example.cn' });
      const ask = (cookie: string) => app.inject({ method: 'GET', url: '/api/user/info', headers: { cookie } });
      const first = await ask(`lixue_session=${token}`);
      expect(first.json()).toMatchObject({ data: { user: { role: 'student' } } });
      expect(first.cookies.map(({ name, value }) => [name, value])).toEqual([
        ['__Host-lixue_session', token],
        ['lixue_session', ''],
      ]);
      const second = await ask(`__Host-lixue_session=${token}`);
      expect(second.json()).toMatchObject({ data: { user: { role: 'student' } } });
      expect(second.cookies).toEqual([]);
      // Beside the name with the prefix the plain one counts for nothing.
      const planted = await ask(`lixue_session=${token}; __Host-lixue_session=ended`);
      expect(planted.json()).toMatchObject({ data: { user: null } });
      await app.close();
    });

    it('are new with every login, and end the presented one', async () => {
      const phone = await withPassword();
      const first = await t.ok('POST /api/user/login', { phone, password: PASSWORD });
      const as = { token: first.token } as TestUser;
      const second = await t.ok('POST /api/user/login', { phone, password: PASSWORD }, { as });
      expect(second.token).not.toBe(first.token);
      expect(await info(first.token)).toBeNull();
      expect(await info(second.token)).not.toBeNull();
    });

    it('end at once with the logout, which takes the cookie away', async () => {
      const user = await t.user();
      const answer = await t.app.inject({
        method: 'POST',
        url: '/api/user/logout',
        payload: {},
        headers: { cookie: `lixue_session=${user.token}` },
      });
      expect(answer.statusCode).toBe(200);
      expect(answer.cookies[0]).toMatchObject({ name: 'lixue_session', value: '' });
      expect(await info(user.token)).toBeNull();
      expect((await t.raw('POST /api/user/logout', {})).code).toBe(200);
    });

    it('end after 30 days without use, and 180 days after the login at the latest', async () => {
      const [idle, busy] = [await t.user(), await t.user()];
      const started = t.time.now;
      t.time.now = started + 30 * DAY - 1;
      expect(await info(busy.token)).not.toBeNull();
      t.time.now = started + 30 * DAY;
      expect(await info(idle.token)).toBeNull();
      expect(await t.refused('POST /api/user/update', {}, { as: idle })).toBe('notSignedIn');
      for (let day = 40; day < 180; day += 20) {
        t.time.now = started + day * DAY;
        expect(await info(busy.token)).not.toBeNull();
      }
      t.time.now = started + 180 * DAY;
      expect(await info(busy.token)).toBeNull();
    });

    it('end when the account is switched off', async () => {
      const phone = await withPassword();
      const { token } = await t.ok('POST /api/user/login', { phone, password: PASSWORD });
      const smsCode = await codeFor(t, phone, 'login');
      await setDisabled(t.db, phone, true);
      expect(await info(token)).toBeNull();
      expect(await login({ phone, password: PASSWORD })).toMatchObject({ data: { why: 'loginWrong' } });
      expect(await login({ phone, smsCode })).toMatchObject({ data: { why: 'smsCodeWrong' } });
      // A session that was opened at the very moment is none either.
      const user = await t.user();
      await t.db.query.updateTable('users').set({ disabled: 1 }).where('id', '=', user.userId).execute();
      expect(await info(user.token)).toBeNull();
      await setDisabled(t.db, phone, false);
      expect((await login({ phone, password: PASSWORD })).code).toBe(200);
    });
  });

  it('refuses demo accounts and their sessions outside DEMO', async () => {
    await createDemoAccounts(t.db, t.time.now);
    const phone = '13800000001';
    const { token } = await t.ok('POST /api/user/login', { phone, password: DEMO_PASSWORD });
    const real = await createApp({ ...t.parts, demo: false });
    const ask = async (payload: object) =>
      (await real.inject({ method: 'POST', url: '/api/user/login', payload })).json();
    expect(await ask({ phone, password: DEMO_PASSWORD })).toMatchObject({ code: 422, data: { why: 'loginWrong' } });
    const smsCode = await codeFor(t, phone, 'login');
    expect(await ask({ phone, smsCode })).toMatchObject({ code: 422, data: { why: 'smsCodeWrong' } });
    const headers = { authorization: `Bearer ${token}` };
    const seen = await real.inject({ method: 'GET', url: '/api/user/info', headers });
    expect(seen.json()).toMatchObject({ data: { user: null, demo: false } });
    await real.close();
  });

  it('tells a visitor the time and that nobody is signed in', async () => {
    expect(await t.ok('GET /api/user/info', {})).toEqual({ user: null, demo: true, now: t.time.now });
    expect(await t.ok('GET /api/user/info', {}, { as: { token: 'invented' } as TestUser })).toMatchObject({
      user: null,
    });
  });

  it('does not let another site sign anyone in or out', async () => {
    const phone = await withPassword();
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ];
    for (const headers of foreign) {
      expect(await login({ phone, password: PASSWORD }, { headers })).toMatchObject({
        code: 403,
        data: { why: 'crossSite' },
      });
      expect(await t.refused('POST /api/user/logout', {}, { headers })).toBe('crossSite');
    }
  });

  it.each([
    {},
    { phone: '13800000001' },
    { phone: '13800000001', password: 'a', smsCode: '123456' },
    { phone: '13800000001', password: '' },
    { phone: '13800000001', password: 'x'.repeat(201) },
    { phone: '13800000001', password: ['a'] },
    { phone: '13800000001', smsCode: '12345678901' },
    { phone: '13800000001', smsCode: 123456 },
    { phone: '138000000011', password: 'a' },
    { phone: null, password: 'a' },
    { phone: '\u0000', password: '\u0000' },
    { phone: "1' or '1'='1", password: 'a' },
    { phone: '13800000777', password: '\u0000\ud800' },
    null,
    'junk',
    [],
  ])('refuses junk: %j', async (input) => {
    const answer = await t.raw('POST /api/user/login', input);
    expect(answer.code).toBeGreaterThanOrEqual(400);
    expect(answer.code).toBeLessThan(500);
    expect(answer.code).toBe(answer.status);
    expect(answer.msg).not.toBe('');
  });
});
