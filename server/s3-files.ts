import { createHash } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import { FILE_NAME } from '#rules/rich-text/file-address.ts';
import { type Files, FilesAway, fileNameOf, nameOfFile, RENEW_AFTER, type StoredFile, spool } from './files.ts';

/** How to reach a store that speaks S3 (`S3_*` in server/environment.ts). */
export interface S3Settings {
  /** Without the bucket, e.g. `https://oss-cn-hangzhou.aliyuncs.com`. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The bucket is the first part of the path (MinIO), not of the host (OSS, COS, S3). */
  pathStyle: boolean;
  /** What stands before the names of the files, e.g. `lixue/`; '' for nothing. */
  prefix: string;
}

/** What the store does not do. */
export class S3Failed extends FilesAway {}

interface Patience {
  /** Milliseconds until an answer begins. */
  answer: number;
  /** Milliseconds for a part to be sent. */
  part: number;
  /** Milliseconds without a byte of an answer that has begun. */
  silence: number;
}
const PATIENCE: Patience = { answer: 15_000, part: 120_000, silence: 30_000 };
/** Bytes sent at once: 10,000 parts are the most there may be (S3 "Multipart upload limits"), so 160 GB. */
const PART = 16 * 1024 * 1024;

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
/** The texts of all elements of one name. S3's answers hold no attributes, comments or CDATA in those that are read here. */
const texts = (xml: string, element: string) =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, text = '']) =>
    text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  );

/**
 * Files in a store that speaks S3 (AWS, OSS, COS, MinIO, R2). What comes is first written to a folder of this machine: the
 * name is the hash of all bytes, and a part that is refused is read again. Requests are signed (signature version 4) over the
 * hash of their body and carry none of the newer checksums, which OSS, COS and R2 refuse.
 * @param spoolFolder where files stand until they are stored
 */
export function s3Files(settings: S3Settings, spoolFolder: string, patience: Patience = PATIENCE): Files {
  const { endpoint, bucket, region, pathStyle, prefix, ...keys } = settings;
  const client = new AwsClient({ ...keys, region, service: 's3', retries: 2 });
  const base = new URL(endpoint);
  if (pathStyle) base.pathname = `${base.pathname.replace(/\/$/, '')}/${bucket}/`;
  else {
    base.host = `${bucket}.${base.host}`;
    base.pathname = `${base.pathname.replace(/\/$/, '')}/`;
  }
  const addressOf = (key: string, query: Record<string, string> = {}) => {
    const address = new URL(`${base.href}${key}`);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    return address.href;
  };

  interface Asked {
    method: string;
    body?: Uint8Array<ArrayBuffer> | string;
    headers?: Record<string, string>;
    within?: number;
    signal?: AbortSignal;
  }
  async function ask(address: string, { method, body, headers = {}, within, signal }: Asked): Promise<Response> {
    const late = AbortSignal.timeout(within ?? patience.answer);
    try {
      return await client.fetch(address, {
        method,
        ...(body === undefined ? {} : { body }),
        headers: { ...headers, 'x-amz-content-sha256': sha256(body ?? '') },
        signal: signal ? AbortSignal.any([signal, late]) : late,
      });
    } catch (error) {
      throw new S3Failed(`${method} ${new URL(address).pathname}: ${late.aborted ? 'no answer in time' : error}`, {
        cause: error,
      });
    }
  }
  /** Asks, and takes only what went well. */
  async function need(address: string, asked: Asked): Promise<Response> {
    const answer = await ask(address, asked);
    if (answer.ok) return answer;
    const said = await answer.text().catch(() => '');
    const [code = ''] = texts(said, 'Code');
    throw new S3Failed(`${asked.method} ${new URL(address).pathname}: ${answer.status} ${code}`.trim());
  }

  async function head(name: string): Promise<{ size: number; storedAt: number } | null> {
    const address = addressOf(prefix + name);
    const answer = await ask(address, { method: 'HEAD' });
    if (answer.status === 404) return null;
    if (!answer.ok) throw new S3Failed(`HEAD ${new URL(address).pathname}: ${answer.status}`);
    const storedAt = Date.parse(answer.headers.get('last-modified') ?? '');
    return { size: Number(answer.headers.get('content-length')), storedAt: Number.isNaN(storedAt) ? 0 : storedAt };
  }

  const find: Files['find'] = async (name) => {
    if (!FILE_NAME.test(name)) return null;
    const found = await head(name);
    return found && { ...found, read: (range) => read(name, found.size, range) };
  };

  async function read(name: string, size: number, range: Parameters<StoredFile['read']>[0]): Promise<Readable> {
    const ended = new AbortController();
    const late = setTimeout(() => ended.abort(), patience.answer);
    // Its limit for all does not end the stream, which may take as long as a viewer takes.
    const answer = await need(addressOf(prefix + name), {
      ...{ method: 'GET', within: 2 ** 31 - 1, signal: ended.signal },
      ...(range ? { headers: { range: `bytes=${range.first}-${range.last}` } } : {}),
    }).finally(() => clearTimeout(late));
    const promised = range ? range.last - range.first + 1 : size;
    if ((range && answer.status !== 206) || !answer.body || Number(answer.headers.get('content-length')) !== promised) {
      ended.abort();
      throw new S3Failed(`GET ${name}: ${answer.status} is not the part that was asked for`);
    }
    const body = answer.body;
    async function* pieces() {
      const reader = body.getReader();
      try {
        for (;;) {
          const silent = setTimeout(() => ended.abort(), patience.silence);
          const { done, value } = await reader
            .read()
            .catch((error: unknown) => {
              throw new S3Failed(`GET ${name}: broke off (${error})`, { cause: error });
            })
            .finally(() => clearTimeout(silent));
          if (done) return;
          yield value;
        }
      } finally {
        ended.abort();
      }
    }
    return Readable.from(pieces(), { objectMode: false });
  }

  /** Sends a whole file from the disk. */
  async function send(path: string, name: string, size: number, signal?: AbortSignal): Promise<void> {
    const file = await open(path, 'r');
    const partAt = async (at: number) => {
      const bytes = Buffer.alloc(Math.min(PART, size - at));
      for (let done = 0; done < bytes.length; ) {
        const { bytesRead } = await file.read(bytes, done, bytes.length - done, at + done);
        if (bytesRead === 0) throw new S3Failed(`${path} became shorter`);
        done += bytesRead;
      }
      return bytes;
    };
    try {
      if (size <= PART) {
        await need(addressOf(prefix + name), { method: 'PUT', body: await partAt(0), within: patience.part });
        return;
      }
      const begun = await need(addressOf(prefix + name, { uploads: '' }), { method: 'POST' });
      const [uploadId = ''] = texts(await begun.text(), 'UploadId');
      if (uploadId === '') throw new S3Failed(`${name}: a multipart upload without an id`);
      try {
        const parts: string[] = [];
        for (let at = 0; at < size; at += PART) {
          signal?.throwIfAborted();
          const partNumber = String(parts.length + 1);
          const sent = await need(addressOf(prefix + name, { partNumber, uploadId }), {
            ...{ method: 'PUT', body: await partAt(at), within: patience.part },
          });
          const etag = (sent.headers.get('etag') ?? '').replaceAll('"', '&quot;');
          parts.push(`<Part><PartNumber>${partNumber}</PartNumber><ETag>${etag}</ETag></Part>`);
        }
        const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
        const whole = await need(addressOf(prefix + name, { uploadId }), {
          ...{ method: 'POST', body, within: patience.part },
        });
        // It may say 200 first, and find out afterwards that it failed (S3 "CompleteMultipartUpload").
        const said = await whole.text();
        if (!said.includes('CompleteMultipartUploadResult'))
          throw new S3Failed(`${name}: ${texts(said, 'Code')[0] ?? 'not completed'}`);
      } catch (error) {
        // Left over it costs money; what cannot be taken back now is taken back by `forgetUnfinished`.
        await ask(addressOf(prefix + name, { uploadId }), { method: 'DELETE' }).catch(() => undefined);
        throw error;
      }
    } finally {
      await file.close();
    }
  }

  /** Whether it is there and counts as just stored. */
  async function renewed(name: string, size: number): Promise<boolean> {
    const known = await head(name);
    return known?.size === size && Date.now() - known.storedAt < RENEW_AFTER;
  }

  const putStream: Files['putStream'] = async (source, extension, most) => {
    const { name, size, aside } = await spool(source, extension, spoolFolder, most);
    try {
      // Stored again where it is older, so that nobody takes it for forgotten.
      if (!(await renewed(name, size))) await send(aside, name, size);
      return { name, size };
    } finally {
      await rm(aside, { force: true });
    }
  };

  const putFile: Files['putFile'] = async (path, extension, signal) => {
    const { name, size } = await nameOfFile(path, extension, signal);
    if (!(await renewed(name, size))) await send(path, name, size, signal);
    return { name, size };
  };

  /** The pages of a list; what the store calls `Next…` is where the next one begins. */
  async function* pages(query: Record<string, string>, next: Readonly<Record<string, string>>): AsyncGenerator<string> {
    for (let from: Record<string, string> = {}; ; ) {
      const page = await (await need(addressOf('', { ...query, ...from }), { method: 'GET' })).text();
      yield page;
      if (texts(page, 'IsTruncated')[0] !== 'true') return;
      from = Object.fromEntries(
        Object.entries(next).map(([parameter, element]) => [parameter, texts(page, element)[0] ?? '']),
      );
    }
  }

  return {
    find,
    putStream,
    putFile,
    put: async (bytes, extension) => {
      const name = fileNameOf(bytes, extension);
      if (!(await renewed(name, bytes.byteLength))) await putStream(Readable.from([bytes]), extension);
      return name;
    },
    delete: async (name) => {
      if (!FILE_NAME.test(name)) return;
      const address = addressOf(prefix + name);
      const answer = await ask(address, { method: 'DELETE' });
      if (!answer.ok && answer.status !== 404) throw new S3Failed(`DELETE ${name}: ${answer.status}`);
    },
    async *list() {
      for await (const page of pages({ 'list-type': '2', prefix }, { 'continuation-token': 'NextContinuationToken' })) {
        for (const entry of page.match(/<Contents>.*?<\/Contents>/gs) ?? []) {
          const [name = ''] = texts(entry, 'Key').map((key) => key.slice(prefix.length));
          const storedAt = Date.parse(texts(entry, 'LastModified')[0] ?? '');
          if (FILE_NAME.test(name) && !Number.isNaN(storedAt)) yield { name, storedAt };
        }
      }
    },
    forgetUnfinished: async (before) => {
      for (const left of await readdir(spoolFolder).catch(() => [])) {
        const found = await stat(join(spoolFolder, left)).catch(() => null);
        if (found && found.mtimeMs < before) await rm(join(spoolFolder, left), { force: true });
      }
      const next = { 'key-marker': 'NextKeyMarker', 'upload-id-marker': 'NextUploadIdMarker' };
      for await (const page of pages({ uploads: '', prefix }, next)) {
        for (const entry of page.match(/<Upload>.*?<\/Upload>/gs) ?? []) {
          const [key = ''] = texts(entry, 'Key');
          const [uploadId = ''] = texts(entry, 'UploadId');
          const begun = Date.parse(texts(entry, 'Initiated')[0] ?? '');
          if (begun < before) await ask(addressOf(key, { uploadId }), { method: 'DELETE' });
        }
      }
    },
  };
}
