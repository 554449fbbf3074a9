import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aliyunGateway, KEY_ID, REQUEST_ID, SECRET } from './aliyun.test-kit.ts';
import { aliyunCaptcha } from './captcha-aliyun.ts';

/** As the script gives it: base64 of JSON, with signs that a form has to escape. */
const PROOF = `${Buffer.from('{"certifyId":"a","sceneId":"scene1","isSign":true,"securityToken":"x/砺学"}').toString('base64')}+/==`;

describe('Aliyun’s captcha over HTTP', () => {
  let gateway: Awaited<ReturnType<typeof aliyunGateway>>;
  beforeAll(async () => {
    gateway = await aliyunGateway();
  });
  afterAll(() => gateway.close());
  beforeEach(() => {
    gateway.seen = [];
  });

  const settings = () => ({
    accessKeyId: KEY_ID,
    accessKeySecret: SECRET,
    sceneId: 'scene1',
    prefix: 'abc123',
    region: 'cn' as const,
    endpoint: gateway.endpoint,
  });
  const verdict = (VerifyResult: unknown, VerifyCode: string) => {
    gateway.reply = () => ({
      status: 200,
      content: { Code: 'Success', Message: 'success', Success: true, Result: { VerifyResult, VerifyCode } },
    });
  };
  const isAway = async (provider = aliyunCaptcha(settings(), 300)): Promise<string> => {
    const word = await provider.verify(PROOF);
    if (word.is !== 'away') throw new Error(`a clear word: ${word.is}`);
    for (const secret of [SECRET, KEY_ID, PROOF]) expect(word.reason).not.toContain(secret);
    return word.reason;
  };

  it('sends the proof unchanged, in a signed form, with the school’s own scene', async () => {
    verdict(true, 'T001');
    expect(await aliyunCaptcha(settings()).verify(PROOF)).toEqual({ is: 'passed' });
    expect(gateway.seen).toEqual([
      {
        action: 'VerifyIntelligentCaptcha',
        version: '2023-03-05',
        nonce: expect.any(String),
        query: {},
        form: { CaptchaVerifyParam: PROOF, SceneId: 'scene1' },
      },
    ]);
  });

  it.each([
    [true, 'T001', 'passed'],
    [true, 'T006', 'passed'],
    [false, 'F001', 'failed'],
    [false, 'F003', 'failed'],
    [false, 'F008', 'failed'],
    [false, 'F012', 'failed'],
    [false, 'F005', 'away'],
    [false, 'F006', 'away'],
    ['true', 'T001', 'away'],
    [undefined, 'T001', 'away'],
  ])('takes VerifyResult %j with %s as %s', async (result, code, is) => {
    verdict(result, code);
    expect((await aliyunCaptcha(settings()).verify(PROOF)).is).toBe(is);
  });

  it('says nothing, with Aliyun’s reason, where keys or rights are wrong', async () => {
    verdict(true, 'T001');
    expect(await isAway(aliyunCaptcha({ ...settings(), accessKeySecret: 'another' }))).toContain(
      `SignatureDoesNotMatch, no code, request ${REQUEST_ID}`,
    );
    expect(await isAway(aliyunCaptcha({ ...settings(), accessKeyId: 'nobody' }))).toContain('InvalidAccessKeyId');
    gateway.reply = () => ({ status: 403, content: { Code: 'Forbidden.AccountAccessDenied' } });
    expect(await isAway()).toContain('HTTP 403, Forbidden.AccountAccessDenied');
  });

  it('says nothing where it is broken or not there', async () => {
    for (const reply of ['page', 'redirect'] as const) {
      gateway.reply = () => reply;
      await isAway();
    }
    gateway.reply = () => ({ status: 500, content: { Code: 'InternalError', Result: { VerifyResult: true } } });
    await isAway();
    await isAway(aliyunCaptcha({ ...settings(), endpoint: 'http://127.0.0.1:9' }));
  });

  it.each(['silent', 'half'] as const)('gives up in time where it is %s', async (reply) => {
    gateway.reply = () => reply;
    const started = performance.now();
    expect(await isAway()).toContain('Timeout');
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it('says nothing to those past 160 at once, without asking', async () => {
    gateway.reply = () => 'silent';
    const provider = aliyunCaptcha(settings(), 300);
    const words = await Promise.all(Array.from({ length: 200 }, () => provider.verify(PROOF)));
    expect(words.filter((word) => word.is === 'away' && word.reason.includes('too many'))).toHaveLength(40);
    expect(gateway.seen).toHaveLength(160);
  });
});
