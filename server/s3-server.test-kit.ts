import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const KEYS = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+secret' };
const REGION = 'cn-test-1';

/** A store that behaves as S3's documentation says: signatures, multipart uploads, ranges, lists by page. */
export interface S3Server {
  settings: { endpoint: string; bucket: string; region: string; pathStyle: true; prefix: string } & typeof KEYS;
  objects: Map<string, { bytes: Buffer; modified: Date }>;
  uploads: Map<string, { key: string; parts: Map<number, Buffer>; begun: Date }>;
  /** What was asked, e.g. `PUT /bucket/key?partNumber=1`. */
  asked: string[];
  /** Gives another answer: return true when it did. */
  trouble: ((request: IncomingMessage, response: ServerResponse) => boolean) | null;
  close(): Promise<void>;
}

const hex = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** The signature of a request, worked out from the documentation alone ("Authenticating Requests: AWS Signature Version 4"). */
export function signatureOf(
  {
    method,
    path,
    query,
    headers,
  }: { method: string; path: string; query: URLSearchParams; headers: NodeJS.Dict<string | string[]> },
  signed: readonly string[],
  { secretAccessKey, region }: { secretAccessKey: string; region: string },
): string {
  const date = String(headers['x-amz-date']);
  const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`;
  const canonical = [
    method,
    path,
    [...query]
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join('&'),
    ...signed.map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    signed.join(';'),
    String(headers['x-amz-content-sha256']),
  ].join('\n');
  const key = [date.slice(0, 8), region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secretAccessKey}`);
  return hmac(key, ['AWS4-HMAC-SHA256', date, scope, hex(canonical)].join('\n')).toString('hex');
}

/** Starts one on a free port. */
export async function startS3(pageSize = 1000): Promise<S3Server> {
  const bucket = 'lixue-test';
  const store: Pick<S3Server, 'objects' | 'uploads' | 'asked' | 'trouble'> = {
    objects: new Map(),
    uploads: new Map(),
    asked: [],
    trouble: null,
  };
  const { objects, uploads } = store;

  function refuse(response: ServerResponse, status: number, code: string): void {
    response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://store');
    store.asked.push(`${request.method} ${url.pathname}${url.search}`);
    if (store.trouble?.(request, response)) return;
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const { headers, method = '' } = request;
    const [, credential = '', signedNames = '', signature = ''] =
      /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
        headers.authorization ?? '',
      ) ?? [];
    const signed = signedNames.split(';');
    const named = { method, path: url.pathname, query: url.searchParams, headers };
    if (!credential.startsWith(`${KEYS.accessKeyId}/`)) return refuse(response, 403, 'InvalidAccessKeyId');
    if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name)))
      return refuse(response, 403, 'AccessDenied');
    if (signature !== signatureOf(named, signed, { ...KEYS, region: REGION }))
      return refuse(response, 403, 'SignatureDoesNotMatch');
    if (headers['x-amz-content-sha256'] !== hex(body)) return refuse(response, 400, 'XAmzContentSHA256Mismatch');
    // OSS, COS and R2 refuse what newer clients of S3 add by themselves.
    if (Object.keys(headers).some((name) => /^x-amz-(checksum|sdk-checksum|trailer)/.test(name)))
      return refuse(response, 400, 'NotImplemented');
    if (!url.pathname.startsWith(`/${bucket}/`)) return refuse(response, 404, 'NoSuchBucket');
    const key = decodeURIComponent(url.pathname.slice(bucket.length + 2));
    const query = url.searchParams;
    const upload = uploads.get(query.get('uploadId') ?? '');
    if (query.has('uploadId') && !upload) return refuse(response, 404, 'NoSuchUpload');
    if (key === '' && query.has('list-type')) {
      const from = query.get('continuation-token') ?? '';
      const names = [...objects.keys()]
        .filter((name) => name.startsWith(query.get('prefix') ?? '') && name > from)
        .sort();
      const page = names.slice(0, pageSize);
      const more = names.length > page.length;
      const entries = page.map(
        (name) =>
          `<Contents><Key>${name}</Key><LastModified>${objects.get(name)?.modified.toISOString()}</LastModified></Contents>`,
      );
      const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
      response.end(`<ListBucketResult><IsTruncated>${more}</IsTruncated>${entries.join('')}${next}</ListBucketResult>`);
    } else if (key === '' && query.has('uploads')) {
      const entries = [...uploads].map(
        ([id, { key: name, begun }]) =>
          `<Upload><Key>${name}</Key><UploadId>${id}</UploadId><Initiated>${begun.toISOString()}</Initiated></Upload>`,
      );
      response.end(
        `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${entries.join('')}</ListMultipartUploadsResult>`,
      );
    } else if (method === 'POST' && query.has('uploads')) {
      const id = randomUUID();
      uploads.set(id, { key, parts: new Map(), begun: new Date() });
      response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    } else if (method === 'PUT' && upload) {
      upload.parts.set(Number(query.get('partNumber')), body);
      response.setHeader('etag', `"${hex(body).slice(0, 32)}"`).end();
    } else if (method === 'POST' && upload) {
      const parts = [...upload.parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes);
      const named = body.toString().match(/<PartNumber>/g)?.length ?? 0;
      if (named !== parts.length) return refuse(response, 400, 'InvalidPart');
      if (parts.slice(0, -1).some(({ length }) => length < 5 * 1024 * 1024))
        return refuse(response, 400, 'EntityTooSmall');
      objects.set(key, { bytes: Buffer.concat(parts), modified: new Date() });
      uploads.delete(query.get('uploadId') ?? '');
      response.end('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>');
    } else if (method === 'DELETE' && upload) {
      uploads.delete(query.get('uploadId') ?? '');
      response.writeHead(204).end();
    } else if (method === 'PUT') {
      objects.set(key, { bytes: body, modified: new Date() });
      response.end();
    } else if (method === 'DELETE') {
      objects.delete(key);
      response.writeHead(204).end();
    } else {
      const found = objects.get(key);
      if (!found) return refuse(response, 404, 'NoSuchKey');
      const [, first = '', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
      const bytes = first === '' ? found.bytes : found.bytes.subarray(Number(first), Number(last) + 1);
      response.writeHead(first === '' ? 200 : 206, {
        'content-length': bytes.length,
        'last-modified': found.modified.toUTCString(),
      });
      response.end(method === 'HEAD' ? undefined : bytes);
    }
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(store, {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket,
      region: REGION,
      pathStyle: true as const,
      prefix: 'school/',
      ...KEYS,
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
