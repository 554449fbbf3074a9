import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestApp, testApp } from '#server/test-kit.ts';
import { codeFor, GOOD_TRACK, newPhone, repeatEvents, ticketFor } from './sign-in.test-kit.ts';
import { solve } from './work.test-kit.ts';

describe.each(databases)('the slider on $name', ({ kind }) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp(kind);
  });
  afterAll(() => t.close());

  type Sender = { headers?: Record<string, string> };
  const challenge = async (phone = newPhone(), sender: Sender = {}) => ({
    phone,
    ...(await t.ok('GET /api/captcha/slider', { action: 'sms_code', phone }, sender)),
  });
  type Handed = Awaited<ReturnType<typeof challenge>>;
  const prove = ({ challengeId, work }: Handed, track = GOOD_TRACK, sender: Sender = {}) =>
    t.raw('POST /api/captcha/slider', { challengeId, track, work: solve(work) }, sender);
  const send = (phone: string, ticket: string, sender: Sender = {}) =>
    t.raw('POST /api/user/sms_code', { phone, purpose: 'login', ticket }, sender);
  const failed = { code: 422, data: { why: 'captchaFailed' } };
  const needed = { code: 403, data: { why: 'ticketNeeded' } };

  it('gives a ticket for a whole drag, and the ticket sends one code', async () => {
    const handed = await challenge();
    t.time.now += 900;
    const proof = await prove(handed);
    expect(proof.code).toBe(200);
    const { ticket } = proof.data as { ticket: string };
    expect((await send(handed.phone, ticket)).code).toBe(200);
    expect(await send(handed.phone, ticket)).toMatchObject(needed);
  });

  it('says how long the challenge lives', async () => {
    expect((await challenge()).expiresIn).toBe(120_000);
  });

  it('answers a challenge once, even a failed try', async () => {
    const handed = await challenge();
    t.time.now += 900;
    expect(await prove(handed, GOOD_TRACK.slice(0, 3))).toMatchObject({
      code: 422,
      data: { why: 'captchaFailed' },
    });
    expect(await prove(handed)).toMatchObject({ code: 422, data: { why: 'captchaFailed' } });
  });

  it('gives one ticket when the same proof comes ten times at once', async () => {
    const handed = await challenge();
    t.time.now += 900;
    const answers = await Promise.all(Array.from({ length: 10 }, () => prove(handed)));
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1);
  });

  it('lets one of ten parallel requests use a ticket', async () => {
    const phone = newPhone();
    const ticket = await ticketFor(t, 'sms_code', phone);
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(phone, ticket)));
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1);
  });

  it('measures the drag by the clock of the server, whatever the track says', async () => {
    const handed = await challenge();
    t.time.now += 100;
    expect(await prove(handed)).toMatchObject({ data: { why: 'captchaFailed' } });
  });

  it('ends a challenge and a ticket after two minutes', async () => {
    const handed = await challenge();
    t.time.now += 120_000;
    expect(await prove(handed)).toMatchObject({ data: { why: 'captchaFailed' } });
    const phone = newPhone();
    const ticket = await ticketFor(t, 'sms_code', phone);
    t.time.now += 120_000;
    expect(await send(phone, ticket)).toMatchObject(needed);
  });

  it('binds the ticket to action, number and browser', async () => {
    const phone = newPhone();
    const browser = { headers: { cookie: 'lixue_device=one' } };
    const other = { headers: { cookie: 'lixue_device=other' } };
    expect(await send(phone, await ticketFor(t, 'login', phone))).toMatchObject(needed);
    const ticket = await ticketFor(t, 'sms_code', phone, browser);
    expect(await send(newPhone(), ticket, browser)).toMatchObject(needed);
    expect(await send(phone, ticket, other)).toMatchObject(needed);
    expect(await send(phone, ticket)).toMatchObject(needed);
    expect((await send(phone, ticket, browser)).code).toBe(200);
  });

  it('is answered by the browser that asked, or, without cookies, from its address', async () => {
    const elsewhere = { headers: { cookie: 'lixue_device=elsewhere' } };
    const handed = await challenge(newPhone(), { headers: { cookie: 'lixue_device=here' } });
    t.time.now += 900;
    expect(await prove(handed, GOOD_TRACK, elsewhere)).toMatchObject(failed);
    const proof = { challengeId: handed.challengeId, track: GOOD_TRACK, work: solve(handed.work) };
    const from = (remoteAddress: string) =>
      t.app.inject({ method: 'POST', url: '/api/captcha/slider', payload: proof, remoteAddress });
    expect((await from('10.9.8.7')).statusCode).toBe(422);
    expect((await from('127.0.0.1')).statusCode).toBe(200);
  });

  it('gives a browser its device cookie, out of reach of scripts, and leaves the one it has', async () => {
    const url = `/api/captcha/slider?action=login&phone=${newPhone()}`;
    const [cookie] = (await t.app.inject({ method: 'GET', url })).cookies;
    expect(cookie).toMatchObject({ name: 'lixue_device', httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(Buffer.from(cookie?.value ?? '', 'base64url')).toHaveLength(32);
    const again = await t.app.inject({ method: 'GET', url, headers: { cookie: `lixue_device=${cookie?.value}` } });
    expect(again.cookies[0]?.value).toBe(cookie?.value);
  });

  it('stores no challenge before it is answered, tickets as hashes, and no number', async () => {
    const phone = newPhone();
    const before = await t.db.query.selectFrom('captcha_challenges').selectAll().execute();
    const { challengeId } = await challenge(phone);
    expect(await t.db.query.selectFrom('captcha_challenges').selectAll().execute()).toEqual(before);
    const ticket = await ticketFor(t, 'sms_code', phone);
    const challenges = await t.db.query.selectFrom('captcha_challenges').selectAll().execute();
    const tickets = await t.db.query.selectFrom('captcha_tickets').selectAll().execute();
    expect(challenges.length).toBe(before.length + 1);
    for (const secret of [ticket, phone]) expect(JSON.stringify([challenges, tickets])).not.toContain(secret);
    expect(Buffer.from(challengeId, 'base64url').toString()).not.toContain(phone);
  });

  it('believes no challenge that it did not make', async () => {
    const handed = await challenge();
    t.time.now += 900;
    const [body = '', signature = ''] = handed.challengeId.split('.');
    const easier = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), bits: 0 };
    const forged = Buffer.from(JSON.stringify(easier)).toString('base64url');
    for (const challengeId of [`${forged}.${signature}`, body, `${body}.`, `${body}.x`, '.', 'null.null']) {
      expect(await prove({ ...handed, challengeId })).toMatchObject(failed);
    }
    expect((await prove(handed)).code).toBe(200);
  });

  it('takes no ticket without the work, and the same work once', async () => {
    for (const work of [undefined, 0, 1]) {
      const { challengeId } = await challenge();
      t.time.now += 900;
      expect(await t.raw('POST /api/captcha/slider', { challengeId, track: GOOD_TRACK, work })).toMatchObject(failed);
    }
    const handed = await challenge();
    t.time.now += 900;
    expect((await prove(handed)).code).toBe(200);
    expect(await prove(handed)).toMatchObject(failed);
  });

  it('costs more with failures at the number and from the address, and nothing more on a known device', async () => {
    const attacked = await testApp(kind);
    const phone = newPhone();
    const known = { headers: { cookie: 'lixue_device=of-the-owner' } };
    const smsCode = await codeFor(attacked, phone, 'login', undefined, known.headers);
    await attacked.ok('POST /api/user/login', { phone, smsCode }, known);
    const bits = async (number: string, sender: Sender = {}) =>
      (await attacked.ok('GET /api/captcha/slider', { action: 'login', phone: number }, sender)).work.bits;
    expect([await bits(phone), await bits(newPhone())]).toEqual([12, 12]);
    await attacked.raw('POST /api/user/login', { phone, password: 'wrong-one-2' });
    await repeatEvents(attacked, `login:${phone}`, 14);
    expect([await bits(phone), await bits(newPhone()), await bits(phone, known)]).toEqual([18, 12, 12]);
    await repeatEvents(attacked, 'login-from:', 999);
    expect([await bits(newPhone()), await bits(phone, known)]).toEqual([19, 12]);
    await attacked.close();
  });

  it('lets nobody use up cheap challenges that were fetched before it became dear', async () => {
    const flood = await testApp(kind);
    const phone = newPhone();
    const fetched = await flood.ok('GET /api/captcha/slider', { action: 'login', phone });
    await ticketFor(flood, 'login', phone);
    await repeatEvents(flood, 'tickets-to:', 600);
    const proof = { challengeId: fetched.challengeId, track: GOOD_TRACK, work: solve(fetched.work) };
    expect(await flood.raw('POST /api/captcha/slider', proof)).toMatchObject(failed);
    expect(await ticketFor(flood, 'login', phone)).toBeTruthy();
    await flood.close();
  });

  it('does not start for another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect(await t.refused('GET /api/captcha/slider', { action: 'login', phone: newPhone() }, { headers })).toBe(
      'crossSite',
    );
  });

  it.each([
    ['GET /api/captcha/slider', {}],
    ['GET /api/captcha/slider', { action: 'other' }],
    ['POST /api/captcha/slider', {}],
    ['POST /api/captcha/slider', { challengeId: 'x', track: [] }],
    ['POST /api/captcha/slider', { challengeId: 'x', track: [{ at: -1, x: 0 }] }],
    ['POST /api/captcha/slider', { challengeId: 'x', track: [{ at: 1e300, x: 0 }] }],
    ['POST /api/captcha/slider', { challengeId: 'x', track: 'junk' }],
    ['POST /api/captcha/slider', { challengeId: '\u0000', track: GOOD_TRACK }],
    ['POST /api/captcha/slider', { challengeId: "' or 1=1 --", track: GOOD_TRACK }],
  ] as const)('refuses junk: %s %j', async (name, input) => {
    const answer = await t.raw(name, input);
    expect(answer.code).toBeGreaterThanOrEqual(400);
    expect(answer.code).toBeLessThan(500);
    expect(answer.msg).not.toBe('');
  });
});
