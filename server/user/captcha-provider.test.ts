import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DataOf } from '#contract/call.ts';
import type { SliderChallenge } from '#contract/user.ts';
import { EASIEST, HARDEST } from '#rules/user/work.ts';
import { type App, createApp } from '#server/app.ts';
import { databases, type TestApp, testApp } from '#server/test-kit.ts';
import { aliyunGateway, KEY_ID, SECRET } from './aliyun.test-kit.ts';
import { aliyunCaptcha } from './captcha-aliyun.ts';
import { codeFor, GOOD_TRACK, newPhone } from './sign-in.test-kit.ts';
import { solve } from './work.test-kit.ts';

describe.each(databases)('a provider’s captcha on $name', ({ kind }) => {
  let t: TestApp;
  let app: App;
  let gateway: Awaited<ReturnType<typeof aliyunGateway>>;
  beforeAll(async () => {
    t = await testApp(kind);
    gateway = await aliyunGateway();
    const keys = { accessKeyId: KEY_ID, accessKeySecret: SECRET, endpoint: gateway.endpoint };
    const captcha = aliyunCaptcha({ ...keys, sceneId: 'scene1', prefix: 'abc123', region: 'cn' }, 300);
    app = await createApp({ ...t.parts, captcha }, { metrics: true });
  });
  afterAll(async () => {
    await app.close();
    gateway.close();
    await t.close();
  });
  beforeEach(() => {
    gateway.seen = [];
    gateway.reply = ({ form }) => {
      const passed = form.CaptchaVerifyParam === 'a-person';
      const Result = { VerifyResult: passed, VerifyCode: passed ? 'T001' : 'F001' };
      return { status: 200, content: { Code: 'Success', Success: true, Result } };
    };
  });

  type Handed = DataOf<typeof SliderChallenge> & { phone: string };
  const challenge = async (phone = newPhone(), headers: Record<string, string> = {}): Promise<Handed> => {
    const query = { action: 'sms_code', phone };
    const answer = await app.inject({ method: 'GET', url: '/api/captcha/slider', query, headers });
    return { ...answer.json().data, phone };
  };
  const prove = async ({ challengeId, work, provider }: Handed, by: { proof?: string; bits?: number } = {}) => {
    t.time.now += 900;
    const { proof, bits = proof === undefined ? work.bits : (provider?.bits ?? 0) } = by;
    const payload = {
      challengeId,
      work: solve({ ...work, bits }),
      ...(proof === undefined ? { track: GOOD_TRACK } : { proof }),
    };
    const answer = await app.inject({ method: 'POST', url: '/api/captcha/slider', payload });
    return answer.json() as { code: number; data: { ticket?: string; why?: string } };
  };
  const failed = { code: 422, data: { why: 'captchaFailed' } };
  const counted = async (word: string) => {
    const text = (await app.inject({ url: '/metrics' })).body;
    return Number(new RegExp(`lixue_captcha_provider_total\\{word="${word}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
  };

  it('is named to a stranger, with little work beside it and the most work without it', async () => {
    const { work, provider } = await challenge();
    expect(provider).toEqual({ sceneId: 'scene1', prefix: 'abc123', region: 'cn', bits: EASIEST });
    expect(work.bits).toBe(HARDEST);
  });

  it('may be loaded by pages of a school that has it, and by no others', async () => {
    const policy = async (of: App) => String((await of.inject('/login')).headers['content-security-policy']);
    const [its, others] = [await policy(app), await policy(t.app)];
    // Of the inline scripts, the one in the head that sets the theme.
    expect(others).toMatch(/script-src 'self' 'sha256-[\w+/]+=';/);
    expect(others).not.toMatch(/alicdn|aliyuncs/);
    expect(its.replace(/'sha256-[\w+/]+=' /, '')).toContain(
      "script-src 'self' https://o.alicdn.com https://g.alicdn.com https://x.alicdn.com;",
    );
    expect(its).toMatch(/connect-src 'self' [^;]*https:\/\/abc123\.captcha-open\.aliyuncs\.com/);
    expect(its).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|\*/);
  });

  it('is not asked for on a device that its person knows', async () => {
    const phone = newPhone();
    const headers = { cookie: `lixue_device=known-${phone}` };
    const code = await codeFor(t, phone, 'login', undefined, headers);
    await t.ok('POST /api/user/login', { phone, smsCode: code }, { headers });
    const { work, provider } = await challenge(phone, headers);
    expect([provider, work.bits]).toEqual([null, EASIEST]);
  });

  it('gives a ticket for a proof that the provider confirms, without a drag', async () => {
    const handed = await challenge();
    const { data } = await prove(handed, { proof: 'a-person' });
    expect(gateway.seen.map(({ form }) => form)).toEqual([{ CaptchaVerifyParam: 'a-person', SceneId: 'scene1' }]);
    const payload = { phone: handed.phone, purpose: 'login', ticket: data.ticket };
    expect((await app.inject({ method: 'POST', url: '/api/user/sms_code', payload })).statusCode).toBe(200);
  });

  it('gives none for one that it does not, and a challenge asks once', async () => {
    const handed = await challenge();
    const before = await counted('failed');
    expect(await prove(handed, { proof: 'a-program' })).toMatchObject(failed);
    expect(await counted('failed')).toBe(before + 1);
    expect(await prove(handed, { proof: 'a-person' })).toMatchObject(failed);
    expect(gateway.seen).toHaveLength(1);
  });

  it('asks the provider nothing before the work is done', async () => {
    const handed = await challenge();
    t.time.now += 900;
    // The smallest number that fits: those below it do not.
    const fits = solve({ ...handed.work, bits: handed.provider?.bits ?? 0 });
    const payload = { challengeId: handed.challengeId, proof: 'a-person', work: fits === 0 ? 1 : fits - 1 };
    expect((await app.inject({ method: 'POST', url: '/api/captcha/slider', payload })).json()).toMatchObject(failed);
    expect(gateway.seen).toEqual([]);
  });

  it('takes no proof on a challenge that names no provider', async () => {
    const phone = newPhone();
    const handed = { ...(await t.ok('GET /api/captcha/slider', { action: 'sms_code', phone })), phone };
    expect(handed.provider).toBeNull();
    expect(await prove(handed, { proof: 'a-person', bits: handed.work.bits })).toMatchObject(failed);
    expect(gateway.seen).toEqual([]);
  });

  it('sends people to the slider while the provider is away, and counts what it gives without it', async () => {
    gateway.reply = () => 'silent';
    expect(await prove(await challenge(), { proof: 'a-person' })).toMatchObject({
      code: 502,
      data: { why: 'captchaAway' },
    });
    const [away, none] = [await counted('away'), await counted('none')];
    expect(away).toBeGreaterThan(0);
    expect((await prove(await challenge())).data.ticket).toEqual(expect.any(String));
    expect(await counted('none')).toBe(none + 1);
  }, 60_000);

  it('does not let the slider stand in for it with less than the most work', async () => {
    expect(await prove(await challenge(), { bits: EASIEST })).toMatchObject(failed);
  });
});
