import { Readable } from 'node:stream';
import { create } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredFile } from '#server/files.ts';
import { FileBytes } from './file-bytes.ts';
import { sendRefusal } from './serve.ts';

const OTHER = 'application/octet-stream';
const TYPES: Readonly<Record<string, string>> = {
  ...{ png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp', gif: 'image/gif', svg: 'image/svg+xml' },
  ...{ mp4: 'video/mp4', mov: 'video/quicktime', webm: 'video/webm', mkv: 'video/x-matroska', ts: 'video/mp2t' },
  ...{ mp3: 'audio/mpeg', m4a: 'audio/mp4', wav: 'audio/wav', flac: 'audio/flac', ogg: 'audio/ogg' },
  ...{ m3u8: 'application/vnd.apple.mpegurl', vtt: 'text/vtt; charset=utf-8', txt: 'text/plain; charset=utf-8' },
  ...{ pdf: 'application/pdf', zip: 'application/zip', csv: 'text/csv; charset=utf-8', doc: 'application/msword' },
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ...{ xls: 'application/vnd.ms-excel', ppt: 'application/vnd.ms-powerpoint', rtf: 'application/rtf' },
  ...{ epub: 'application/epub+zip', md: 'text/markdown; charset=utf-8' },
};

/** What a file is, by the extension of its stored name. */
const typeOf = (name: string) => TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? OTHER;

/** Times on the wire have whole seconds. */
const seconds = (time: number) => Math.floor(time / 1000) * 1000;
const tagsIn = (list: string) => list.split(',').map((tag) => tag.trim());

/** What is left of a request's conditions when they are held against a file (RFC 9110 §13.2.2). */
function precondition(
  { 'if-match': match, 'if-none-match': noneMatch, 'if-modified-since': since }: FastifyRequest['headers'],
  etag: string,
  modified: number,
): 'send' | 'notModified' | 'failed' {
  if (match !== undefined && match !== '*' && !tagsIn(match).includes(etag)) return 'failed';
  if (noneMatch !== undefined) {
    const weak = tagsIn(noneMatch).map((tag) => tag.replace(/^W\//, ''));
    return noneMatch === '*' || weak.includes(etag) ? 'notModified' : 'send';
  }
  if (since === undefined) return 'send';
  const known = Date.parse(since);
  return !Number.isNaN(known) && modified <= known ? 'notModified' : 'send';
}

/** The bytes that are asked for: all (null), some, or none that there are. Several ranges at once get all. */
function rangeOf(header: string | undefined, size: number): { first: number; last: number } | null | 'none' {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  if (from === '') {
    const length = Number(to);
    if (length === 0) return 'none';
    // The last 500 bytes of a file of 300 are the whole file (RFC 9110 §14.1.2).
    return length > size ? null : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return null;
  return first >= size ? 'none' : { first, last };
}

/** Bytes that may be sent whole or in part. */
export interface SentBytes {
  size: number;
  /** Strong, with its quotes. */
  etag: string;
  modifiedAt: number;
  type: string;
  headers: Record<string, string>;
  /** Where they lie, if it is on this machine; else they are read. */
  place?: { path: string; first: number };
  read(range?: { first: number; last: number }): Promise<Readable>;
}

/**
 * A stored file as something to be saved under a name of its own (RFC 6266), for whoever was just found to be allowed: nobody
 * on the way keeps it, no browser takes it for something else than its type says, and nothing in it runs.
 */
export function storedDownload(name: string, file: StoredFile, title: string): SentBytes {
  const { path, size, storedAt: modifiedAt, read } = file;
  return {
    ...{ size, modifiedAt, etag: `"${name.slice(3, 67)}"`, type: typeOf(name), read },
    ...(path === undefined ? {} : { place: { path, first: 0 } }),
    headers: {
      'content-disposition': create(title, { type: 'attachment' }),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    },
  };
}

/** Sends a stored file. Its ETag is the hash of its bytes, which its name tells. */
export async function sendStored(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, file, headers }: { name: string; file: StoredFile; headers: Record<string, string> },
): Promise<FastifyReply> {
  const { size, storedAt: modifiedAt } = file;
  const about = { size, modifiedAt, headers, etag: `"${name.slice(3, 67)}"`, type: typeOf(name) };
  const place = file.path === undefined ? {} : { place: { path: file.path, first: 0 } };
  return sendBytes(request, reply, { ...about, ...place, read: file.read });
}

/** Sends bytes, whole or in part (Range, ETag, If-Range, HEAD: RFC 9110), without holding them in memory. */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  { size, etag, modifiedAt, type, headers, place, read }: SentBytes,
): Promise<FastifyReply> {
  const modified = seconds(modifiedAt);
  const outcome = precondition(request.headers, etag, modified);
  if (outcome === 'failed') return sendRefusal(reply, { why: 'notAsExpected' });
  const lastModified = new Date(modified).toUTCString();
  const about = { ...headers, etag, 'last-modified': lastModified, 'accept-ranges': 'bytes' };
  if (outcome === 'notModified') return reply.code(304).headers(about).send();
  const { 'if-range': has } = request.headers;
  const goesOn = has === undefined || has === etag || has === lastModified;
  const range = goesOn ? rangeOf(request.headers.range, size) : null;
  if (range === 'none') return sendRefusal(reply.header('content-range', `bytes */${size}`), { why: 'noSuchRange' });
  // Opened before anything is said, so that what is gone meanwhile is an error with an envelope.
  const { first, last } = range ?? { first: 0, last: size - 1 };
  const open = () =>
    place
      ? FileBytes.open(place.path, { first: place.first + first, last: place.first + last })
      : read(range ?? undefined);
  const bytes = request.method === 'HEAD' ? null : await open();
  if (range) reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${size}`);
  reply
    .headers(about)
    .type(type)
    .header('content-length', range ? range.last - range.first + 1 : size);
  // An empty stream: of anything else the framework would tell the length instead of the file's.
  if (!bytes) return reply.send(Readable.from([]));
  // Who has left is not read for any more.
  reply.raw.once('close', () => bytes.destroy());
  return reply.send(bytes);
}
