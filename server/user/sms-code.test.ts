import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestApp, testApp } from '#server/test-kit.ts';
import { codeFor, newPhone, repeatEvents, ticketFor, wrongCode } from './sign-in.test-kit.ts';
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
    t.raw('POST /api/user/sms_code', { phone, purpose, ticket: await ticketFor(t, 'sms_code') }, as);
  const login = (phone: string, smsCode: string) => t.raw('POST /api/user/login', { phone, smsCode });

  it('sends a code and shows it with DEMO', async () => {
    const phone = newPhone();
    const answer = await ask(`+86 ${phone}`);
    expect(answer).toMatchObject({ code: 200, data: { resendAfter: 60, demoCode: t.sms.at(-1)?.code } });
    expect(t.sms.at(-1)?.phone).toBe(phone);
  });

  it('shows no code without DEMO', async () => {
    const real = await testApp(kind, false);
    const { challengeId } = await real.ok('GET /api/captcha/slider', { action: 'sms_code' });
    real.time.now += 900;
    const track = [0, 300, 600, 1000].map((x, n) => ({ at: n * 100, x }));
    const { ticket } = await real.ok('POST /api/captcha/slider', { challengeId, track });
    const answer = await real.ok('POST /api/user/sms_code', { phone: newPhone(), purpose: 'login', ticket });
    expect(real.sms).toHaveLength(1);
    expect(answer.demoCode).toBeNull();
    await real.close();
  });

  it('stores no code, only its hash, and never the same hash for two numbers', async () => {
    const [first, second] = [newPhone(), newPhone()];
    await keepCode(t.db.query, first, 'login', '123456', t.time.now);
    await keepCode(t.db.query, second, 'login', '123456', t.time.now);
    const rows = await t.db.query.selectFrom('sms_codes').selectAll().where('phone', 'in', [first, second]).execute();
    expect(rows).toHaveLength(2);
    expect(rows[0]?.code_hash).not.toBe(rows[1]?.code_hash);
    expect(JSON.stringify(rows)).not.toContain('123456');
  });

  it('sends one a minute, five an hour, ten a day to one number', async () => {
    const phone = newPhone();
    const sentAt: number[] = [];
    const started = t.time.now;
    // Asked for every half minute over a day and a bit; each ticket takes 900 ms of it.
    while (t.time.now < started + 25 * 60 * MINUTE) {
      const at = t.time.now + 900;
      const answer = await ask(phone);
      if (answer.code === 200) sentAt.push(at);
      else expect(answer).toMatchObject({ code: 429, data: { why: 'smsTooSoon' } });
      t.time.now += sentAt.length < 6 ? 29_100 : 20 * MINUTE;
    }
    const within = (ms: number) =>
      Math.max(...sentAt.map((end) => sentAt.filter((at) => at <= end && at > end - ms).length));
    expect(within(MINUTE)).toBe(1);
    expect(within(60 * MINUTE)).toBe(5);
    expect(within(24 * 60 * MINUTE)).toBe(10);
    expect(sentAt.length).toBeGreaterThan(10);
  });

  it('sends one of ten codes that are asked for at the same moment', async () => {
    const phone = newPhone();
    const tickets: string[] = [];
    for (let n = 0; n < 10; n += 1) tickets.push(await ticketFor(t, 'sms_code'));
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
    await keepCode(t.db.query, phone, 'login', '246810', t.time.now);
    const found = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const right = await tryCode(t.db.query, phone, 'login', '246810', t.time.now);
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
    await keepCode(t.db.query, phone, 'login', '111111', t.time.now);
    for (let n = 0; n < 4; n += 1) expect(await tryCode(t.db.query, phone, 'login', '999999', t.time.now)).toBeNull();
    expect(await tryCode(t.db.query, phone, 'login', '111111', t.time.now)).not.toBeNull();
    expect(await tryCode(t.db.query, phone, 'login', '111111', t.time.now)).toBeNull();
  });

  it('looks at five of twenty parallel wrong tries, from two processes', async () => {
    const other = await t.sibling();
    const phone = newPhone();
    await keepCode(t.db.query, phone, 'login', '111111', t.time.now);
    // Twenty different guesses, the right one among them at every place in turn: at most five are looked at.
    const tries = Array.from({ length: 20 }, (_, n) =>
      tryCode((n % 2 === 0 ? t : other).db.query, phone, 'login', n === 19 ? '111111' : '999999', t.time.now),
    );
    const found = await Promise.all(tries);
    const row = await t.db.query
      .selectFrom('sms_codes')
      .select('tries_left')
      .where('phone', '=', phone)
      .executeTakeFirst();
    expect(row?.tries_left).toBe(0);
    expect(await tryCode(t.db.query, phone, 'login', '111111', t.time.now)).toBeNull();
    expect(found.slice(0, 19).every((right) => right === null)).toBe(true);
    await other.close();
  });

  it('counts exactly five of twenty parallel right tries', async () => {
    const phone = newPhone();
    await keepCode(t.db.query, phone, 'login', '111111', t.time.now);
    const found = await Promise.all(
      Array.from({ length: 20 }, () => tryCode(t.db.query, phone, 'login', '111111', t.time.now)),
    );
    expect(found.filter((right) => right !== null)).toHaveLength(5);
  });

  it('binds a code to phone and purpose', async () => {
    const [first, second] = [newPhone(), newPhone()];
    const code = await codeFor(t, first, 'login');
    await keepCode(t.db.query, second, 'login', wrongCode(code), t.time.now);
    expect((await login(second, code)).code).toBe(422);
    const student = await t.user();
    const forPassword = await codeFor(t, student.phone, 'password', student);
    for (let n = 0; n < 6; n += 1) await tryCode(t.db.query, student.phone, 'login', forPassword, t.time.now);
    expect((await login(student.phone, forPassword)).code).toBe(422);
    // Tries at another purpose cost it nothing.
    expect(await tryCode(t.db.query, student.phone, 'password', forPassword, t.time.now)).not.toBeNull();
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
    const ticket = await ticketFor(t, 'sms_code');
    expect(await t.raw('POST /api/user/sms_code', { phone: '123', purpose: 'login', ticket })).toMatchObject({
      code: 422,
      msg: '请输入正确的手机号',
      data: { why: 'phoneWrong', field: 'phone' },
    });
    expect((await t.raw('POST /api/user/sms_code', { phone: newPhone(), purpose: 'login', ticket })).code).toBe(200);
  });

  it('needs a ticket', async () => {
    const answer = await t.raw('POST /api/user/sms_code', { phone: newPhone(), purpose: 'login', ticket: 'invented' });
    expect(answer).toMatchObject({ code: 403, msg: '请先完成滑块验证', data: { why: 'ticketNeeded' } });
  });

  it('serves a campus behind one address before it says no', async () => {
    const campus = await testApp(kind);
    const askThere = async (phone: string) => {
      const ticket = await ticketFor(campus, 'sms_code');
      return campus.raw('POST /api/user/sms_code', { phone, purpose: 'login', ticket });
    };
    expect((await askThere(newPhone())).code).toBe(200);
    await repeatEvents(campus, 'sms-from:', 598);
    expect((await askThere(newPhone())).code).toBe(200);
    const late = newPhone();
    expect(await askThere(late)).toMatchObject({ code: 429, data: { why: 'tooMany' } });
    // The refusal by address did not use up the person's own minute.
    await campus.db.query.deleteFrom('rate_events').where('bucket', 'like', 'sms-from:%').execute();
    expect((await askThere(late)).code).toBe(200);
    await campus.close();
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
