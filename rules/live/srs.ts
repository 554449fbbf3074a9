import type { StreamFault } from './codec.ts';
import { GONE_AFTER } from './publishing.ts';
import { isStreamName, keyIn } from './stream-key.ts';

/** The app under which lessons are sent to SRS and fetched from it. */
export const SRS_APP = 'live';
/** How long a grant to fetch a stream from SRS is good (milliseconds): SRS asks about it at once. */
export const PULL_GRANT_LIFE = 10_000;
/** Who was let in may not show among the streams of SRS for so long (milliseconds): its first packet may take 20 s. */
export const LET_IN_FOR = 25_000;
/** Who was let in so lately (milliseconds) holds the stream though SRS does not show it yet. */
const BEGINS_WITHIN = 5000;
const CLIENT = /^[\w.-]{1,64}$/;

/** What SRS asks or tells (its HTTP callbacks). */
export interface SrsEvent {
  action: 'on_publish' | 'on_unpublish' | 'on_play';
  /** The connection: a number up to SRS 3, a word from SRS 4 on. */
  client: string;
  stream: string;
  /** What stood behind the question mark of its address. */
  param: string;
}

const clientOf = (value: unknown): string | null => {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && CLIENT.test(text) ? text : null;
};

/** Reads the body of a callback; null: it is none that is known. */
export function readSrsEvent(body: unknown): SrsEvent | null {
  if (typeof body !== 'object' || body === null) return null;
  const { action, client_id, app, stream, param = '' } = body as Record<string, unknown>;
  if (action !== 'on_publish' && action !== 'on_unpublish' && action !== 'on_play') return null;
  const client = clientOf(client_id);
  if (client === null || app !== SRS_APP || typeof stream !== 'string' || typeof param !== 'string') return null;
  // Of a stream that is fetched by HTTP the address may end so.
  const name = stream.replace(/\.flv$/, '');
  return isStreamName(name) ? { action, client, stream: name, param: param.replace(/^\?/, '') } : null;
}

/** What a teacher writes into an encoder as its key: SRS calls the stream by its name, and hands on what stands behind it. */
export const srsKey = (stream: string, key: string): string => `${stream}?key=${key}`;

/** One thing that stands behind the question mark of an address; null: it does not, or twice. */
function paramOf(param: string, name: string): string | null {
  const found = param.split('&').filter((part) => part.startsWith(`${name}=`));
  return found.length === 1 ? (found[0]?.slice(name.length + 1) ?? null) : null;
}

/** The key that an encoder came with; null: none. */
export function keyOfParam(param: string): string | null {
  const key = paramOf(param, 'key');
  return key !== null && keyIn(key) === key ? key : null;
}

/** What lets a server of this site fetch a stream from SRS until then, before its signature. */
export const writePullGrant = (stream: string, expiresAt: number): string => `srs.${stream}.${expiresAt}`;

/** The grant in what SRS says of who wants to play; null: there is none. */
export function readPullGrant(
  param: string,
): { stream: string; expiresAt: number; text: string; signature: string } | null {
  const [, text, stream, expiresAt, signature] =
    /^(srs\.([a-z0-9-]{1,40})\.(\d{1,15}))\.([\w-]{43})$/.exec(paramOf(param, 'grant') ?? '') ?? [];
  if (text === undefined || signature === undefined) return null;
  return { stream: stream ?? '', expiresAt: Number(expiresAt), text, signature };
}

/**
 * Whether an encoder with the right key may begin. One that sends goes on: SRS takes silence for its end after five seconds, and another
 * comes in then.
 * @param holder who was let in last, and when; null: they are gone
 * @param sends who sends now, as SRS says; null: nobody; undefined: it cannot be asked
 */
export function mayTakeStream(
  asks: string,
  holder: { client: string; letInAt: number; heardAt: number | null } | null,
  sends: string | null | undefined,
  now: number,
): boolean {
  if (sends === asks || holder?.client === asks) return true;
  // Whoever it is: SRS lets nobody in beside them.
  if (typeof sends === 'string') return false;
  if (holder === null) return true;
  if (now - holder.letInAt < BEGINS_WITHIN) return false;
  return sends === null || holder.heardAt === null || now - holder.heardAt >= GONE_AFTER;
}

/** A stream that somebody sends, as SRS shows it. */
export interface SrsStream {
  stream: string;
  client: string;
  /** Bytes and pictures since it began. */
  bytes: number;
  pictures: number;
  /** Codecs as SRS calls them; null: none came yet. */
  video: string | null;
  audio: string | null;
}

const countOf = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0);
const codecOf = (track: unknown): string | null => {
  const codec = typeof track === 'object' && track !== null ? (track as { codec?: unknown }).codec : null;
  return typeof codec === 'string' ? codec.slice(0, 20) : null;
};

/** The streams that somebody sends, of an answer to `/api/v1/streams`, and how many it lists in all; null: it is none. */
export function readSrsStreams(answer: unknown): { listed: number; streams: SrsStream[] } | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { code, streams } = answer as Record<string, unknown>;
  if (code !== 0 || !Array.isArray(streams)) return null;
  const found = streams.flatMap((each: unknown): SrsStream[] => {
    if (typeof each !== 'object' || each === null) return [];
    const { name, app, publish, recv_bytes, frames, video_frames, video, audio } = each as Record<string, unknown>;
    if (app !== SRS_APP || !isStreamName(name) || typeof publish !== 'object' || publish === null) return [];
    const { active, cid } = publish as Record<string, unknown>;
    const client = clientOf(cid);
    if (active !== true || client === null) return [];
    return [
      {
        ...{ stream: name, client, bytes: countOf(recv_bytes), pictures: countOf(video_frames ?? frames) },
        ...{ video: codecOf(video), audio: codecOf(audio) },
      },
    ];
  });
  return { listed: streams.length, streams: found };
}

/** Why a stream with these codecs is refused; null: it is not. */
export function codecFault({ video, audio }: Pick<SrsStream, 'video' | 'audio'>): StreamFault | null {
  if (video !== null && video !== 'H264') return 'videoCodec';
  return audio !== null && audio !== 'AAC' ? 'audioCodec' : null;
}
