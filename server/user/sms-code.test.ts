import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { databases, type TestApp, testApp } from '#server/test-kit.ts';
import { codeFor, HERE, newPhone, repeatEvents, ticketFor, wrongCode } from './sign-in.test-kit.ts';
import { SmsNotSent } from './sms.ts';
import { drawCode, keepCode, redeemCode, tryCode } from './sms-code.ts';

const MINUTE = 60_000;

describe('drawCode', () => {
  it('gives six digits from every part of the range', () => {
    const codes = Array.from({ length: 3000 }, () => drawCode(randomBytes));
    for (const code of codes) expect(code).toMatch(/^\d{6}$/);
    expect(new Set(codes.map((code) => code[0])).size).toBe(10);
    expect(new Set(codes).size).toBeGreaterThan(2900);
  });

  it('draws again where low numbers would be favoured', () => {
    const drawn = [Buffer.from([0xff, 0xff, 0xff, 0xff]), Buffer.from([0, 0, 0, 7])];
    expect(drawCode(() => drawn.shift() ?? Buffer.alloc(4))).toBe('000007');
  });
});

describe.each(databases)('SMS codes on $name', ({ kind }) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp(kind);
  });
  afterAll(() => t.close());

  const ask = async (phone: string, purpose = 'login', as?: Parameters<TestApp['raw']>[2]) =>
    t.raw('POST /api/user/sms_code', { phone, purpose, ticket: await ticketFor(t, 'sms_code', phone, as) }, as);
  const login = (phone: string, smsCode: string) => t.raw('POST /api/user/login', { phone, smsCode });

  it('sends a code and shows it with DEMO', async () => {
    const phone = newPhone();
    const answer = await ask(`+86 ${phone}`);
    expect(answer).toMatchObject({ code: 200, data: { resendAfter: 60, demoCode: t.sms.at(-1)?.code } });
    expect(t.sms.at(-1)?.phone).toBe(phone);
  });

  it('shows no code without DEMO', async () => {
    const real = await testApp(kind, false);
    const phone = newPhone();
    const ticket = await ticketFor(real, 'sms_code', phone);
    const answer = await real.ok('POST /api/user/sms_code', { phone, purpose: 'login', ticket });
    expect(real.sms).toHaveLength(1);
    expect(answer.demoCode).toBeNull();
    await real.close();
  });

  it('stores no code, only its hash, and never the same hash for two numbers', async () => {
    const [first, second] = [newPhone(), newPhone()];
    await keepCode(t.db.query, { phone: first, purpose: 'login', asker: HERE }, '123456', t.time.now);
    await keepCode(t.db.query, { phone: second, purpose: 'login', asker: HERE }, '123456', t.time.now);
    const rows = await t.db.query.selectFrom('asked_codes').selectAll().where('phone', 'in', [first, second]).execute();
    expect(rows).toHaveLength(2);
    expect(rows[0]?.code_hash).not.toBe(rows[1]?.code_hash);
    expect(JSON.stringify(rows)).not.toContain('123456');
  });

  it.each([
    ['a device that the person never signed in on', 4, 8],
    ['one that they know', 5, 10],
  ])('sends to one number, for %s: one a minute, %i an hour, %i a day', async (_whose, anHour, aDay) => {
    const phone = newPhone();
    const headers: Record<string, string> = aDay === 10 ? { cookie: `lixue_device=${phone}` } : {};
    const sender = { headers };
    if (aDay === 10) {
      const smsCode = await codeFor(t, phone, 'login', undefined, headers);
      await t.ok('POST /api/user/login', { phone, smsCode }, sender);
      t.time.now += 25 * 60 * MINUTE;
    }
    const sentAt: number[] = [];
    const started = t.time.now;
    // Asked for every half minute, later less often, over a day and a bit; each ticket takes 900 ms of it.
    while (t.time.now < started + 25 * 60 * MINUTE) {
      const at = t.time.now + 900;
      const answer = await ask(phone, 'login', sender);
      if (answer.code === 200) sentAt.push(at);
      else expect(answer).toMatchObject({ code: 429, data: { why: 'smsTooSoon' } });
      t.time.now += at - started < 6 * MINUTE ? 29_100 : 20 * MINUTE;
    }
    const within = (ms: number) =>
      Math.max(...sentAt.map((end) => sentAt.filter((at) => at <= end && at > end - ms).length));
    expect(within(MINUTE)).toBe(1);
    expect(within(60 * MINUTE)).toBe(anHour);
    expect(within(24 * 60 * MINUTE)).toBe(aDay);
    expect(sentAt.length).toBeGreaterThan(aDay);
  });

  it('sends one of ten codes that are asked for at the same moment', async () => {
    const phone = newPhone();
    const tickets: string[] = [];
    for (let n = 0; n < 10; n += 1) tickets.push(await ticketFor(t, 'sms_code', phone));
    const before = t.sms.length;
    const answers = await Promise.all(
      tickets.map((ticket) => t.raw('POST /api/user/sms_code', { phone, purpose: 'login', ticket })),
    );
    expect(answers.filter(({ code }) => code === 200).length).toBeLessThanOrEqual(1);
    expect(t.sms.length - before).toBeLessThanOrEqual(1);
  });

  it('does not count a code that could not be sent', async () => {
    const phone = newPhone();
    const { send } = t.parts.sms;
    t.parts.sms.send = async () => {
      throw new SmsNotSent('failed', 'the provider is down');
    };
    expect(await ask(phone)).toMatchObject({ code: 502, data: { why: 'smsNotSent' } });
    t.parts.sms.send = async () => {
      throw new SmsNotSent('tooSoon', 'the provider’s own limit');
    };
    expect(await ask(phone)).toMatchObject({ code: 429, data: { why: 'smsTooSoon' } });
    t.parts.sms.send = send;
    expect((await ask(phone)).code).toBe(200);
  });

  it('a code that could not be sent leaves the one before as it was', async () => {
    const phone = newPhone();
    const code = await codeFor(t, phone, 'login');
    t.time.now += MINUTE;
    const { send } = t.parts.sms;
    t.parts.sms.send = async () => {
      throw new Error('no answer');
    };
    expect((await ask(phone)).code).toBe(502);
    t.parts.sms.send = send;
    expect((await login(phone, code)).code).toBe(200);
  });

  it('takes a code once', async () => {
    const phone = newPhone();
    const code = await codeFor(t, phone, 'login');
    expect((await login(phone, code)).code).toBe(200);
    expect(await login(phone, code)).toMatchObject({ code: 422, data: { why: 'smsCodeWrong', field: 'smsCode' } });
  });

  it('lets one of ten parallel logins use a code', async () => {
    const phone = newPhone();
    await keepCode(t.db.query, { phone: phone, purpose: 'login', asker: HERE }, '246810', t.time.now);
    const found = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const right = await tryCode(t.db.query, { phone: phone, purpose: 'login', asker: HERE }, '246810', t.time.now);
        return right !== null && (await redeemCode(t.db.query, right));
      }),
    );
    expect(found.filter(Boolean)).toHaveLength(1);
  });

  it('ends a code after five minutes, and not before', async () => {
    const [early, late] = [newPhone(), newPhone()];
    const first = await codeFor(t, early, 'login');
    t.time.now += 5 * MINUTE - 1;
    expect((await login(early, first)).code).toBe(200);
    const second = await codeFor(t, late, 'login');
    t.time.now += 5 * MINUTE;
    expect(await login(late, second)).toMatchObject({ data: { why: 'smsCodeWrong' } });
  });

  it('replaces an older code by the newer one', async () => {
    const phone = newPhone();
    const old = await codeFor(t, phone, 'login');
    t.time.now += MINUTE;
    const fresh = await codeFor(t, phone, 'login');
    if (old !== fresh) expect((await login(phone, old)).code).toBe(422);
    expect((await login(phone, fresh)).code).toBe(200);
  });

  it('takes five tries: after five wrong ones the right code is refused', async () => {
    const phone = newPhone();
    await keepCode(t.db.query, { phone: phone, purpose: 'login', asker: HERE }, '111111', t.time.now);
    for (let n = 0; n < 4; n += 1)
      expect(
        await tryCode(t.db.query, { phone: phone, purpose: 'login', asker: HERE }, '999999', t.time.now),
      ).toBeNull();
    expect(
      await tryCode(t.db.query, { phone: phone, purpose: 'login', asker: HERE }, '111111', t.time.now),
    ).not.toBeNull();
    expect(await tryCode(t.db.query, { phone: phone, purpose: 'login', asker: HERE }, '111111', t.time.now)).toBeNull();
  });

  it('looks at five of twenty parallel wrong tries, from two processes', async () => {
    const other = await t.sibling();
    const phone = newPhone();
    await keepCode(t.db.query, { phone: phone, purpose: 'login', asker: HERE }, '111111', t.time.now);
    // Twenty different guesses, the right one among them at every place in turn: at most five are looked at.
    const tries = Array.from({ length: 20 }, (_, n) =>
      tryCode(
        (n % 2 === 0 ? t : other).db.query,
        { phone: phone, purpose: 'login', asker: HERE },
        n === 19 ? '111111' : '999999',
        t.time.now,
      ),
    );
    const found = await Promise.all(tries);
    const row = await t.db.query
      .selectFrom('asked_codes')
      .select('own_tries')
      .where('phone', '=', phone)
      .executeTakeFirst();
    expect(row?.own_tries).toBe(0);
    expect(await tryCode(t.db.query, { phone: phone, purpose: 'login', asker: HERE }, '111111', t.time.now)).toBeNull();
    expect(found.slice(0, 19).every((right) => right === null)).toBe(true);
    await other.close();
  });

  it('counts exactly five of twenty parallel right tries', async () => {
    const phone = newPhone();
    await keepCode(t.db.query, { phone: phone, purpose: 'login', asker: HERE }, '111111', t.time.now);
    const found = await Promise.all(
      Array.from({ length: 20 }, () =>
        tryCode(t.db.query, { phone: phone, purpose: 'login', asker: HERE }, '111111', t.time.now),
      ),
    );
    expect(found.filter((right) => right !== null)).toHaveLength(5);
  });

  it('binds a code to phone and purpose', async () => {
    const [first, second] = [newPhone(), newPhone()];
    const code = await codeFor(t, first, 'login');
    await keepCode(t.db.query, { phone: second, purpose: 'login', asker: HERE }, wrongCode(code), t.time.now);
    expect((await login(second, code)).code).toBe(422);
    const student = await t.user();
    const forPassword = await codeFor(t, student.phone, 'password', student);
    for (let n = 0; n < 6; n += 1)
      await tryCode(t.db.query, { phone: student.phone, purpose: 'login', asker: HERE }, forPassword, t.time.now);
    expect((await login(student.phone, forPassword)).code).toBe(422);
    // Tries at another purpose cost it nothing.
    expect(
      await tryCode(t.db.query, { phone: student.phone, purpose: 'password', asker: HERE }, forPassword, t.time.now),
    ).not.toBeNull();
    expect((await login(first, code)).code).toBe(200);
  });

  it('sends the codes of a signed-in person to their own number, named in full or masked', async () => {
    const student = await t.user();
    const masked = `${student.phone.slice(0, 3)}****${student.phone.slice(7)}`;
    expect((await ask(masked, 'password', { as: student })).code).toBe(200);
    expect(t.sms.at(-1)?.phone).toBe(student.phone);
    expect(await ask(newPhone(), 'phone_old', { as: student })).toMatchObject({
      code: 422,
      data: { why: 'phoneWrong' },
    });
    for (const purpose of ['password', 'phone_old', 'phone_new']) {
      expect(await ask(student.phone, purpose)).toMatchObject({ code: 401, data: { why: 'notSignedIn' } });
    }
  });

  it('does not spend a ticket on a phone that is none', async () => {
    const phone = newPhone();
    const ticket = await ticketFor(t, 'sms_code', phone);
    expect(await t.raw('POST /api/user/sms_code', { phone: '123', purpose: 'login', ticket })).toMatchObject({
      code: 422,
      msg: '请输入正确的手机号',
      data: { why: 'phoneWrong', field: 'phone' },
    });
    expect((await t.raw('POST /api/user/sms_code', { phone, purpose: 'login', ticket })).code).toBe(200);
  });

  it.each([
    ['an invented one', 'invented'],
    ['none', undefined],
  ])('needs a ticket; sent: %s', async (_, ticket) => {
    const answer = await t.raw('POST /api/user/sms_code', { phone: newPhone(), purpose: 'login', ticket });
    expect(answer).toMatchObject({ code: 403, msg: '请先完成滑块验证', data: { why: 'ticketNeeded' } });
  });

  it('serves a campus behind one address: each code costs more, none is refused', async () => {
    const campus = await testApp(kind);
    const bitsThere = async () =>
      (await campus.ok('GET /api/captcha/slider', { action: 'sms_code', phone: newPhone() })).work.bits;
    await codeFor(campus, newPhone(), 'login');
    expect(await bitsThere()).toBe(12);
    await repeatEvents(campus, 'sms-from:', 299);
    expect(await bitsThere()).toBe(18);
    expect(await codeFor(campus, newPhone(), 'login')).toMatch(/^\d{6}$/);
    await repeatEvents(campus, 'sms-from:', 300);
    expect(await bitsThere()).toBe(21);
    await campus.close();
  });

  it('holds codes back when the school’s hour is used up, keeps a part for known devices, and tells the operator', async () => {
    const school = await testApp(kind);
    const told = vi.spyOn(school.parts.log, 'error').mockImplementation(() => undefined);
    const said = () => told.mock.calls.map(([, sentence]) => sentence);
    const phone = newPhone();
    const headers = { cookie: 'lixue_device=known-to-the-person' };
    const smsCode = await codeFor(school, phone, 'login', undefined, headers);
    await school.ok('POST /api/user/login', { phone, smsCode }, { headers });
    expect(said()).toEqual([]);
    await repeatEvents(school, 'sms-school', 1598);
    await codeFor(school, newPhone(), 'login');
    expect(said()).toEqual(['unusually many SMS codes: half of the school’s hour is used']);
    const late = newPhone();
    const ticket = await ticketFor(school, 'sms_code', late);
    expect(await school.raw('POST /api/user/sms_code', { phone: late, purpose: 'login', ticket })).toMatchObject({
      code: 429,
      data: { why: 'tooMany' },
    });
    expect(said()).toHaveLength(2);
    school.time.now += MINUTE;
    expect(await codeFor(school, phone, 'login', undefined, headers)).toMatch(/^\d{6}$/);
    const { body } = await school.app.inject({ method: 'GET', url: '/metrics', remoteAddress: '127.0.0.1' });
    expect(body).toMatch(/^lixue_sms_sent_total 3$/m);
    expect(body).toMatch(/^lixue_sms_held_back_total 1$/m);
    expect(body).toMatch(/^lixue_sms_hour_share 0\.80/m);
    await school.close();
  });

  it('a stranger’s wrong guesses leave the code of its owner alive', async () => {
    const phone = newPhone();
    const owner = { cookie: 'lixue_device=owner' };
    const stranger = { cookie: 'lixue_device=stranger' };
    const code = await codeFor(t, phone, 'login', undefined, owner);
    for (let n = 0; n < 12; n += 1) {
      const guess = {
        phone,
        smsCode: wrongCode(code),
        ticket: await ticketFor(t, 'login', phone, { headers: stranger }),
      };
      expect((await t.raw('POST /api/user/login', guess, { headers: stranger })).code).toBe(422);
    }
    // The right one would not help the stranger any more either, and the owner needs no more than the code.
    const late = { phone, smsCode: code, ticket: await ticketFor(t, 'login', phone, { headers: stranger }) };
    expect((await t.raw('POST /api/user/login', late, { headers: stranger })).code).toBe(422);
    expect((await t.raw('POST /api/user/login', { phone, smsCode: code }, { headers: owner })).code).toBe(200);
  });

  it('a code that a stranger has sent leaves the one before alive', async () => {
    const phone = newPhone();
    const owner = { cookie: 'lixue_device=the-owner' };
    const code = await codeFor(t, phone, 'login', undefined, owner);
    t.time.now += MINUTE;
    await codeFor(t, phone, 'login', undefined, { cookie: 'lixue_device=a-stranger' });
    expect((await t.raw('POST /api/user/login', { phone, smsCode: code }, { headers: owner })).code).toBe(200);
  });

  it('may be entered in another browser than the one that asked for it, three tries long', async () => {
    const code = await codeFor(t, newPhone(), 'login', undefined, { cookie: 'lixue_device=in-the-app' });
    const { phone = '' } = t.sms.at(-1) ?? {};
    for (let n = 0; n < 2; n += 1) expect((await login(phone, wrongCode(code))).code).toBe(422);
    expect((await login(phone, code)).code).toBe(200);
  });

  it.each([
    {},
    { phone: 13800000001, purpose: 'login', ticket: 'x' },
    { phone: '13800000001', purpose: 'else', ticket: 'x' },
    { phone: '13800000001', purpose: 'login' },
    { phone: '13800000001', purpose: 'login', ticket: '' },
    { phone: '1'.repeat(21), purpose: 'login', ticket: 'x' },
    { phone: '\u0000', purpose: 'login', ticket: '\u0000' },
    'junk',
    [],
  ])('refuses junk: %j', async (input) => {
    const answer = await t.raw('POST /api/user/sms_code', input);
    expect(answer.code).toBeGreaterThanOrEqual(400);
    expect(answer.code).toBeLessThan(500);
    expect(answer.msg).not.toBe('');
  });
});
