import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aliyunGateway, KEY_ID, REQUEST_ID, SECRET } from './aliyun.test-kit.ts';
import { SmsNotSent } from './sms.ts';
import { aliyunSms } from './sms-aliyun.ts';

const PHONE = '13800001234';
const CODE = '042137';

type Gateway = Awaited<ReturnType<typeof aliyunGateway>>;

/** What the gateway answers, by how it is. */
const replies = {
  work: { status: 200, content: { Code: 'OK', Message: 'OK', BizId: '900619746936498440^0' } },
  limit: { status: 200, content: { Code: 'isv.BUSINESS_LIMIT_CONTROL', Message: '触发分钟级流控Permits:1' } },
  broken: { status: 500, content: { Code: 'InternalError', Message: 'The request processing has failed' } },
  odd: { status: 200, content: { Code: `<b>${SECRET}</b>\n`, RequestId: 7 } },
  page: 'page',
  silent: 'silent',
  half: 'half',
  redirect: 'redirect',
} as const satisfies Record<string, ReturnType<Gateway['reply']>>;
type Behaviour = keyof typeof replies;

describe('Aliyun over HTTP', () => {
  let gateway: Gateway;
  let behaviour: Behaviour = 'work';

  beforeAll(async () => {
    gateway = await aliyunGateway();
    gateway.reply = () => replies[behaviour];
  });
  afterAll(() => gateway.close());
  beforeEach(() => {
    behaviour = 'work';
    gateway.seen = [];
  });

  const settings = () => ({
    accessKeyId: KEY_ID,
    accessKeySecret: SECRET,
    signName: "砺学 (测试)*'!~+&=/",
    templateCode: 'SMS_154950909',
    endpoint: gateway.endpoint,
  });
  const fails = async (sender = aliyunSms(settings(), 300)): Promise<SmsNotSent> => {
    const error: unknown = await sender.send(PHONE, CODE).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof SmsNotSent)) throw new Error(`not refused as SmsNotSent: ${String(error)}`);
    const inLog = `${error.message}\n${error.stack}\n${String(error.cause)}\n${JSON.stringify(error)}`;
    for (const secret of [SECRET, KEY_ID, PHONE, CODE]) expect(inLog).not.toContain(secret);
    return error;
  };

  it('sends the code with the school’s sign and template', async () => {
    await aliyunSms(settings()).send(PHONE, CODE);
    expect(gateway.seen).toEqual([
      {
        action: 'SendSms',
        version: '2017-05-25',
        nonce: expect.any(String),
        form: {},
        query: {
          PhoneNumbers: PHONE,
          SignName: settings().signName,
          TemplateCode: 'SMS_154950909',
          TemplateParam: '{"code":"042137"}',
        },
      },
    ]);
  });

  it('uses a nonce once', async () => {
    const sender = aliyunSms(settings());
    await sender.send(PHONE, CODE);
    await sender.send(PHONE, CODE);
    expect(new Set(gateway.seen.map(({ nonce }) => nonce)).size).toBe(2);
  });

  it('says when Aliyun’s own limit for the number is reached', async () => {
    behaviour = 'limit';
    const error = await fails();
    expect(error.reason).toBe('tooSoon');
    expect(error.message).toContain('138****1234');
    expect(error.message).toContain('isv.BUSINESS_LIMIT_CONTROL');
    expect(error.message).toContain(REQUEST_ID);
  });

  it('fails on a wrong secret, key or address, with what Aliyun called it', async () => {
    const secret = await fails(aliyunSms({ ...settings(), accessKeySecret: 'another' }));
    expect(secret).toMatchObject({ reason: 'failed', message: expect.stringContaining('SignatureDoesNotMatch') });
    const key = await fails(aliyunSms({ ...settings(), accessKeyId: 'nobody' }));
    expect(key.message).toContain('InvalidAccessKeyId.NotFound');
    expect(gateway.seen).toEqual([]);
    expect((await fails(aliyunSms({ ...settings(), endpoint: 'http://127.0.0.1:9' }))).reason).toBe('failed');
  });

  it.each<Behaviour>(['broken', 'page', 'redirect', 'odd'])('fails when the gateway is %s', async (how) => {
    behaviour = how;
    expect((await fails()).reason).toBe('failed');
  });

  it.each<Behaviour>(['silent', 'half'])('gives up in time when the gateway is %s', async (how) => {
    behaviour = how;
    const started = performance.now();
    expect(await fails()).toMatchObject({ reason: 'failed', message: expect.stringContaining('Timeout') });
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
