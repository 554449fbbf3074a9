import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestApp, testApp } from '#server/test-kit.ts';
import { GOOD_TRACK, newPhone, repeatEvents, ticketFor } from './sign-in.test-kit.ts';

describe.each(databases)('the slider on $name', ({ kind }) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp(kind);
  });
  afterAll(() => t.close());

  const challenge = async () => (await t.ok('GET /api/captcha/slider', { action: 'sms_code' })).challengeId;
  const prove = (challengeId: string, track = GOOD_TRACK) => t.raw('POST /api/captcha/slider', { challengeId, track });
  const send = (ticket: string) => t.raw('POST /api/user/sms_code', { phone: newPhone(), purpose: 'login', ticket });

  it('gives a ticket for a whole drag, and the ticket sends one code', async () => {
    const challengeId = await challenge();
    t.time.now += 900;
    const proof = await prove(challengeId);
    expect(proof.code).toBe(200);
    const { ticket } = proof.data as { ticket: string };
    expect((await send(ticket)).code).toBe(200);
    expect(await send(ticket)).toMatchObject({ code: 403, data: { why: 'ticketNeeded' } });
  });

  it('says how long the challenge lives', async () => {
    expect((await t.ok('GET /api/captcha/slider', { action: 'login' })).expiresIn).toBe(120_000);
  });

  it('answers a challenge once, even a failed try', async () => {
    const challengeId = await challenge();
    t.time.now += 900;
    expect(await prove(challengeId, GOOD_TRACK.slice(0, 3))).toMatchObject({
      code: 422,
      data: { why: 'captchaFailed' },
    });
    expect(await prove(challengeId)).toMatchObject({ code: 422, data: { why: 'captchaFailed' } });
  });

  it('gives one ticket when the same proof comes ten times at once', async () => {
    const challengeId = await challenge();
    t.time.now += 900;
    const answers = await Promise.all(Array.from({ length: 10 }, () => prove(challengeId)));
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1);
  });

  it('lets one of ten parallel requests use a ticket', async () => {
    const ticket = await ticketFor(t, 'sms_code');
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(ticket)));
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1);
  });

  it('measures the drag by the clock of the server, whatever the track says', async () => {
    const challengeId = await challenge();
    t.time.now += 100;
    expect(await prove(challengeId)).toMatchObject({ data: { why: 'captchaFailed' } });
  });

  it('ends a challenge and a ticket after two minutes', async () => {
    const challengeId = await challenge();
    t.time.now += 120_000;
    expect(await prove(challengeId)).toMatchObject({ data: { why: 'captchaFailed' } });
    const ticket = await ticketFor(t, 'sms_code');
    t.time.now += 120_000;
    expect(await send(ticket)).toMatchObject({ data: { why: 'ticketNeeded' } });
  });

  it('binds the ticket to its action', async () => {
    expect(await send(await ticketFor(t, 'login'))).toMatchObject({ code: 403, data: { why: 'ticketNeeded' } });
  });

  it('stores hashes only', async () => {
    const challengeId = await challenge();
    const ticket = await ticketFor(t, 'sms_code');
    const challenges = await t.db.query.selectFrom('captcha_challenges').selectAll().execute();
    const tickets = await t.db.query.selectFrom('captcha_tickets').selectAll().execute();
    const stored = JSON.stringify([challenges, tickets]);
    expect(challenges.length * tickets.length).toBeGreaterThan(0);
    expect(stored).not.toContain(challengeId);
    expect(stored).not.toContain(ticket);
  });

  it('hands out challenges to a whole campus, but not to a flood', async () => {
    const flood = await testApp(kind);
    const ask = async () => (await flood.raw('GET /api/captcha/slider', { action: 'login' })).code;
    expect(await ask()).toBe(200);
    await repeatEvents(flood, 'challenge:', 2998);
    expect([await ask(), await ask(), await ask()]).toEqual([200, 429, 429]);
    flood.time.now += 60_000;
    expect(await ask()).toBe(200);
    await flood.close();
  });

  it('does not start for another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect(await t.refused('GET /api/captcha/slider', { action: 'login' }, { headers })).toBe('crossSite');
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
