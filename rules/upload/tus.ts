/** The version of the protocol that is spoken, and what of it beside its core (tus 1.0 "Protocol Extensions"). */
export const TUS_VERSION = '1.0.0';
export const TUS_EXTENSIONS = 'creation,expiration,checksum,termination';

/** Digests that a piece may be held against (tus 1.0 "Checksum"), by their names there. */
export const checksumAlgorithms = ['sha1', 'sha256', 'md5'] as const;
type ChecksumAlgorithm = (typeof checksumAlgorithms)[number];

/** What a piece has to be: the digest in base64. */
export interface Checksum {
  algorithm: ChecksumAlgorithm;
  digest: string;
}

type HeaderValue = string | readonly string[] | undefined;

/** A number of bytes as `Upload-Length` and `Upload-Offset` say it: digits alone. @returns null for anything else */
export function readBytes(header: HeaderValue): number | null {
  if (typeof header !== 'string' || !/^\d{1,16}$/.test(header)) return null;
  const bytes = Number(header);
  return Number.isSafeInteger(bytes) ? bytes : null;
}

/** The most that is read of what a client says of its file. */
const LONGEST_METADATA = 4096;
const KEY = /^[\x21-\x2b\x2d-\x7e]{1,64}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * What `Upload-Metadata` says (tus 1.0 "Creation"): pairs of a key and a value in base64, between commas; keys occur once.
 * @returns null when it is none; values are still in base64
 */
export function readMetadata(header: HeaderValue): ReadonlyMap<string, string> | null {
  const found = new Map<string, string>();
  if (header === undefined || header === '') return found;
  if (typeof header !== 'string' || header.length > LONGEST_METADATA) return null;
  for (const pair of header.split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(/ +/);
    if (more.length > 0 || !KEY.test(key) || !BASE64.test(value) || found.has(key)) return null;
    found.set(key, value);
  }
  return found;
}

/** What `Upload-Checksum` says. @returns null: none is asked for; 'wrong': it is none, or of a digest that is not known here */
export function readChecksum(header: HeaderValue): Checksum | null | 'wrong' {
  if (header === undefined) return null;
  const [, name = '', digest = ''] = /^([a-z0-9]+) ([A-Za-z0-9+/]+=*)$/.exec(String(header)) ?? [];
  const algorithm = checksumAlgorithms.find((known) => known === name);
  return algorithm && BASE64.test(digest) ? { algorithm, digest } : 'wrong';
}
