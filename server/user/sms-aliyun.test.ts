import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SmsNotSent } from './sms.ts';
import { aliyunSms, signAliyun } from './sms-aliyun.ts';

const KEY_ID = 'LTAI-test-key';
const SECRET = 'test-secret-that-no-log-may-hold';
const PHONE = '13800001234';
const CODE = '042137';

it('signs the example of Aliyun’s documentation as the documentation does', () => {
  const { query, headers } = signAliyun({
    accessKeyId: 'YourAccessKeyId',
    accessKeySecret: 'YourAccessKeySecret',
    host: 'ecs.cn-shanghai.aliyuncs.com',
    action: 'RunInstances',
    version: '2014-05-26',
    parameters: { RegionId: 'cn-shanghai', ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd' },
    now: Date.UTC(2023, 9, 26, 10, 22, 32, 987),
    nonce: '3156853299f313e23d1673dc12e1703d',
  });
  expect(query).toBe('ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd&RegionId=cn-shanghai');
  expect(headers.authorization).toBe(
    'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;' +
      'x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
  );
});

/**
 * The gateway's side, written from the documentation and not from our signer: it takes the request as it came over the
 * wire, builds the canonical request out of what the client says it signed, and compares. @returns what is wrong
 */
function faultOf(request: IncomingMessage, body: string): string | null {
  const url = new URL(request.url ?? '', `http://${request.headers.host}`);
  const parts = /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(
    request.headers.authorization ?? '',
  );
  if (!parts) return 'IncompleteSignature';
  const [, keyId, signedHeaders = '', signature] = parts;
  if (keyId !== KEY_ID) return 'InvalidAccessKeyId.NotFound';
  const names = signedHeaders.split(';');
  const must = ['host', ...Object.keys(request.headers).filter((name) => name.startsWith('x-acs-'))];
  if (must.some((name) => !names.includes(name)) || [...names].sort().join() !== names.join())
    return 'IncompleteSignature';
  const date = Date.parse(String(request.headers['x-acs-date']));
  if (!(Math.abs(date - Date.now()) < 15 * 60_000)) return 'InvalidTimeStamp.Expired';
  const bodyHash = createHash('sha256').update(body).digest('hex');
  if (request.headers['x-acs-content-sha256'] !== bodyHash) return 'SignatureDoesNotMatch';
  const strict = (text: string) =>
    [...new TextEncoder().encode(text)]
      .map((byte) => {
        const sign = String.fromCharCode(byte);
        return /[A-Za-z0-9\-_.~]/.test(sign) ? sign : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
      })
      .join('');
  const query = [...url.searchParams]
    .map(([name, value]) => [strict(name), strict(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const canonical = `${request.method}\n${url.pathname}\n${query}\n${names
    .map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
    .join('')}\n${signedHeaders}\n${bodyHash}`;
  const toSign = `ACS3-HMAC-SHA256\n${createHash('sha256').update(canonical).digest('hex')}`;
  return createHmac('sha256', SECRET).update(toSign).digest('hex') === signature ? null : 'SignatureDoesNotMatch';
}

type Behaviour = 'work' | 'limit' | 'broken' | 'page' | 'silent' | 'half' | 'redirect' | 'odd';

describe('Aliyun over HTTP', () => {
  let gateway: Server;
  let endpoint = '';
  let behaviour: Behaviour = 'work';
  let seen: { parameters: Record<string, string>; nonce: unknown; action: unknown; version: unknown }[] = [];

  beforeAll(async () => {
    gateway = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const answer = (status: number, content: object) => {
          response.writeHead(status, { 'content-type': 'application/json;charset=utf-8' });
          response.end(JSON.stringify({ RequestId: 'F655A8D5-B967-440B-8683-DAD6FF8DE990', ...content }));
        };
        if (request.url === '/elsewhere') return answer(200, { Code: 'OK' });
        const fault = faultOf(request, body);
        if (fault)
          return answer(400, { Code: fault, Message: 'Specified signature is not matched with our calculation.' });
        seen.push({
          parameters: Object.fromEntries(new URL(request.url ?? '', 'http://x').searchParams),
          nonce: request.headers['x-acs-signature-nonce'],
          action: request.headers['x-acs-action'],
          version: request.headers['x-acs-version'],
        });
        if (behaviour === 'work') return answer(200, { Code: 'OK', Message: 'OK', BizId: '900619746936498440^0' });
        if (behaviour === 'limit') {
          return answer(200, { Code: 'isv.BUSINESS_LIMIT_CONTROL', Message: '触发分钟级流控Permits:1' });
        }
        if (behaviour === 'broken')
          return answer(500, { Code: 'InternalError', Message: 'The request processing has failed' });
        if (behaviour === 'odd') return answer(200, { Code: `<b>${SECRET}</b>\n`, RequestId: 7 });
        if (behaviour === 'page')
          return response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway');
        if (behaviour === 'redirect') return response.writeHead(307, { location: `${endpoint}/elsewhere` }).end();
        if (behaviour === 'half') {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.write('{"Code":');
        }
      });
    });
    await new Promise<void>((ready) => gateway.listen(0, '127.0.0.1', ready));
    endpoint = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    gateway.closeAllConnections();
    gateway.close();
  });
  beforeEach(() => {
    behaviour = 'work';
    seen = [];
  });

  const settings = () => ({
    accessKeyId: KEY_ID,
    accessKeySecret: SECRET,
    signName: "砺学 (测试)*'!~+&=/",
    templateCode: 'SMS_154950909',
    endpoint,
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
    expect(seen).toEqual([
      {
        action: 'SendSms',
        version: '2017-05-25',
        nonce: expect.any(String),
        parameters: {
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
    expect(new Set(seen.map(({ nonce }) => nonce)).size).toBe(2);
  });

  it('says when Aliyun’s own limit for the number is reached', async () => {
    behaviour = 'limit';
    const error = await fails();
    expect(error.reason).toBe('tooSoon');
    expect(error.message).toContain('138****1234');
    expect(error.message).toContain('isv.BUSINESS_LIMIT_CONTROL');
    expect(error.message).toContain('F655A8D5-B967-440B-8683-DAD6FF8DE990');
  });

  it('fails on a wrong secret, key or address, with what Aliyun called it', async () => {
    const secret = await fails(aliyunSms({ ...settings(), accessKeySecret: 'another' }));
    expect(secret).toMatchObject({ reason: 'failed', message: expect.stringContaining('SignatureDoesNotMatch') });
    const key = await fails(aliyunSms({ ...settings(), accessKeyId: 'nobody' }));
    expect(key.message).toContain('InvalidAccessKeyId.NotFound');
    expect(seen).toEqual([]);
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
