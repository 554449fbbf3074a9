import { createHash, createHmac, randomUUID } from 'node:crypto';
import { maskPhone } from '#rules/user/phone.ts';
import { SmsNotSent, type SmsSender } from './sms.ts';

/** Keys and approved texts of an Aliyun account. The template has one variable: `${code}`. */
interface AliyunSettings {
  accessKeyId: string;
  accessKeySecret: string;
  signName: string;
  templateCode: string;
  /** E.g. https://dysmsapi.aliyuncs.com */
  endpoint: string;
}

/** Milliseconds until a call is given up. */
const TIMEOUT = 5000;
const ALGORITHM = 'ACS3-HMAC-SHA256';
const NO_BODY = createHash('sha256').update('').digest('hex');

/** Percent-encoding of RFC 3986: letters, digits and -_.~ stay. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

interface Unsigned {
  accessKeyId: string;
  accessKeySecret: string;
  host: string;
  action: string;
  version: string;
  parameters: Record<string, string>;
  /** Epoch milliseconds; Aliyun takes it 15 minutes around its own time. */
  now: number;
  nonce: string;
}

/**
 * Signs an RPC-style request (POST /, parameters in the query, no body) by Aliyun's signature V3.
 * @see https://help.aliyun.com/zh/sdk/product-overview/v3-request-structure-and-signature
 * @returns the query string and the headers to send; `host` is sent by the HTTP client itself
 */
export function signAliyun(request: Unsigned): { query: string; headers: Record<string, string> } {
  const query = Object.keys(request.parameters)
    .sort()
    .map((name) => `${encode(name)}=${encode(request.parameters[name] ?? '')}`)
    .join('&');
  const headers: Record<string, string> = {
    'x-acs-action': request.action,
    'x-acs-content-sha256': NO_BODY,
    'x-acs-date': new Date(request.now).toISOString().replace(/\.\d{3}Z$/, 'Z'),
    'x-acs-signature-nonce': request.nonce,
    'x-acs-version': request.version,
  };
  const signed = Object.entries({ host: request.host, ...headers });
  const names = signed.map(([name]) => name).join(';');
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('');
  const canonical = ['POST', '/', query, lines, names, NO_BODY].join('\n');
  const toSign = `${ALGORITHM}\n${createHash('sha256').update(canonical).digest('hex')}`;
  const signature = createHmac('sha256', request.accessKeySecret).update(toSign).digest('hex');
  headers.authorization = `${ALGORITHM} Credential=${request.accessKeyId},SignedHeaders=${names},Signature=${signature}`;
  return { query, headers };
}

/**
 * Sends codes through Aliyun's short message service (Dysmsapi 2017-05-25, SendSms). Its errors become `SmsNotSent`,
 * whose message has Aliyun's code and request id for the log, and never a key or the code that was to be sent.
 */
export function aliyunSms(settings: AliyunSettings, timeout = TIMEOUT): SmsSender {
  const endpoint = new URL(settings.endpoint);
  return {
    async send(phone, code) {
      const { query, headers } = signAliyun({
        accessKeyId: settings.accessKeyId,
        accessKeySecret: settings.accessKeySecret,
        host: endpoint.host,
        action: 'SendSms',
        version: '2017-05-25',
        parameters: {
          PhoneNumbers: phone,
          SignName: settings.signName,
          TemplateCode: settings.templateCode,
          TemplateParam: JSON.stringify({ code }),
        },
        now: Date.now(),
        nonce: randomUUID(),
      });
      const { status, body } = await post(`${endpoint.origin}/?${query}`, headers, timeout);
      const { Code: answer, RequestId: id } = body;
      if (status === 200 && answer === 'OK') return;
      // The number's own limit at Aliyun (1 a minute, 5 an hour, 10 a day), e.g. used up by another site with our sign.
      const reason = answer === 'isv.BUSINESS_LIMIT_CONTROL' ? 'tooSoon' : 'failed';
      throw new SmsNotSent(
        reason,
        `Aliyun did not send to ${maskPhone(phone)}: HTTP ${status}, ${word(answer)}, request ${word(id)}`,
      );
    },
  };
}

async function post(
  url: string,
  headers: Record<string, string>,
  timeout: number,
): Promise<{ status: number; body: Record<string, unknown> }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json', ...headers },
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    });
    const body: unknown = await response.json().catch((error: unknown) => {
      if (error instanceof SyntaxError) return null; // a gateway's HTML page
      throw error;
    });
    return { status: response.status, body: typeof body === 'object' && body !== null ? { ...body } : {} };
  } catch (error) {
    // Only the kind of fault is kept: the address holds the phone and the code.
    const fault =
      error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.name) : 'unknown';
    throw new SmsNotSent('failed', `Aliyun could not be reached: ${fault}`);
  }
}

/** A word of Aliyun's answer as it may stand in a log. */
function word(value: unknown): string {
  return typeof value === 'string' && /^[\w.-]{1,100}$/.test(value) ? value : 'no code';
}
