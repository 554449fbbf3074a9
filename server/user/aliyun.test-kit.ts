import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export const KEY_ID = 'LTAI-test-key';
export const SECRET = 'test-secret-that-no-log-may-hold';
export const REQUEST_ID = 'F655A8D5-B967-440B-8683-DAD6FF8DE990';

/** A call as it came over the wire with a right signature. */
interface Seen {
  action: unknown;
  version: unknown;
  nonce: unknown;
  query: Record<string, string>;
  form: Record<string, string>;
}

/** A JSON answer, or a way of giving none. */
type Reply = { status: number; content: object } | 'page' | 'silent' | 'half' | 'redirect';

interface AliyunGateway {
  endpoint: string;
  /** The calls with a right signature so far. */
  seen: Seen[];
  /** What it answers to calls with a right signature; a wrong one gets Aliyun's refusal whatever stands here. */
  reply: (call: Seen) => Reply;
  close(): void;
}

/**
 * The gateway's side of the signature, written from the documentation and not from our signer: it takes the request as it
 * came over the wire, builds the canonical request out of what the client says it signed, and compares.
 * @returns what is wrong
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
  const sent = Object.keys(request.headers);
  const must = ['host', ...sent.filter((name) => name.startsWith('x-acs-') || name === 'content-type')];
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

/** A gateway on this machine that checks signatures as Aliyun's documentation says. */
export async function aliyunGateway(): Promise<AliyunGateway> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const answer = (status: number, content: object) => {
        response.writeHead(status, { 'content-type': 'application/json;charset=utf-8' });
        response.end(JSON.stringify({ RequestId: REQUEST_ID, ...content }));
      };
      if (request.url === '/elsewhere') return answer(200, { Code: 'OK' });
      const fault = faultOf(request, body);
      if (fault) {
        return answer(400, { Code: fault, Message: 'Specified signature is not matched with our calculation.' });
      }
      const call = {
        action: request.headers['x-acs-action'],
        version: request.headers['x-acs-version'],
        nonce: request.headers['x-acs-signature-nonce'],
        query: Object.fromEntries(new URL(request.url ?? '', 'http://x').searchParams),
        form: Object.fromEntries(new URLSearchParams(body)),
      };
      gateway.seen.push(call);
      const reply = gateway.reply(call);
      if (reply === 'page') response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway');
      else if (reply === 'redirect') response.writeHead(307, { location: `${gateway.endpoint}/elsewhere` }).end();
      else if (reply === 'half') response.writeHead(200, { 'content-type': 'application/json' }).write('{"Code":');
      else if (reply !== 'silent') answer(reply.status, reply.content);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const gateway: AliyunGateway = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    reply: () => 'silent',
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return gateway;
}
