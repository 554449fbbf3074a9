import { createHmac, hash, randomUUID } from 'node:crypto';

/** Keys of an Aliyun account, and the address of the service they are for. */
export interface AliyunAccount {
  accessKeyId: string;
  accessKeySecret: string;
  /** E.g. https://dysmsapi.aliyuncs.com */
  endpoint: string;
}

/** What is asked of Aliyun: an operation of a service, its parameters in the query or in a form. */
interface Operation {
  action: string;
  version: string;
  query?: Record<string, string>;
  form?: Record<string, string>;
}

interface Unsigned extends Operation {
  accessKeyId: string;
  accessKeySecret: string;
  host: string;
  /** Epoch milliseconds; Aliyun takes it 15 minutes around its own time. */
  now: number;
  nonce: string;
}

interface AliyunAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** Aliyun could not be asked. The message is for the log: it names no key and nothing of what was asked. */
export class AliyunAway extends Error {}

const ALGORITHM = 'ACS3-HMAC-SHA256';

/** Percent-encoding of RFC 3986: letters, digits and -_.~ stay. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Parameters as a query or a form has them, in the order in which they are signed. */
function encodeAll(parameters: Record<string, string> = {}): string {
  return Object.keys(parameters)
    .sort()
    .map((name) => `${encode(name)}=${encode(parameters[name] ?? '')}`)
    .join('&');
}

/**
 * Signs an RPC-style request (POST /) by Aliyun's signature V3.
 * @see https://help.aliyun.com/zh/sdk/product-overview/v3-request-structure-and-signature
 * @returns the query string, the body and the headers to send; `host` is sent by the HTTP client itself
 */
export function signAliyun(request: Unsigned): { query: string; body: string; headers: Record<string, string> } {
  const query = encodeAll(request.query);
  const body = encodeAll(request.form);
  const bodyHash = hash('sha256', body);
  // In the order of their names, as they are signed.
  const headers: Record<string, string> = {
    ...(request.form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    host: request.host,
    'x-acs-action': request.action,
    'x-acs-content-sha256': bodyHash,
    'x-acs-date': new Date(request.now).toISOString().replace(/\.\d{3}Z$/, 'Z'),
    'x-acs-signature-nonce': request.nonce,
    'x-acs-version': request.version,
  };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers)
    .map(([name, value]) => `${name}:${value}\n`)
    .join('');
  const canonical = ['POST', '/', query, lines, names, bodyHash].join('\n');
  const toSign = `${ALGORITHM}\n${hash('sha256', canonical)}`;
  const signature = createHmac('sha256', request.accessKeySecret).update(toSign).digest('hex');
  const { host: _, ...sent } = headers;
  const authorization = `${ALGORITHM} Credential=${request.accessKeyId},SignedHeaders=${names},Signature=${signature}`;
  return { query, body, headers: { ...sent, authorization } };
}

/**
 * Calls an operation of Aliyun. @returns its status and its JSON, empty where it was none; throws `AliyunAway` when no
 * whole answer came within `timeout` milliseconds
 */
export async function callAliyun(
  { accessKeyId, accessKeySecret, endpoint }: AliyunAccount,
  operation: Operation,
  timeout: number,
): Promise<AliyunAnswer> {
  const { host, origin } = new URL(endpoint);
  const unsigned = { ...operation, accessKeyId, accessKeySecret, host, now: Date.now(), nonce: randomUUID() };
  const { query, body, headers } = signAliyun(unsigned);
  try {
    const response = await fetch(`${origin}/${query === '' ? '' : `?${query}`}`, {
      method: 'POST',
      headers: { accept: 'application/json', ...headers },
      ...(operation.form === undefined ? {} : { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    });
    const answer: unknown = await response.json().catch((error: unknown) => {
      if (error instanceof SyntaxError) return null; // a gateway's HTML page
      throw error;
    });
    return { status: response.status, body: typeof answer === 'object' && answer !== null ? { ...answer } : {} };
  } catch (error) {
    // Only the kind of fault is kept: the address holds what was asked.
    const fault =
      error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.name) : 'unknown';
    throw new AliyunAway(`Aliyun could not be reached: ${fault}`);
  }
}

/** A word of Aliyun's answer as it may stand in a log. */
export function wordOf(value: unknown): string {
  return typeof value === 'string' && /^[\w.-]{1,100}$/.test(value) ? value : 'no code';
}
