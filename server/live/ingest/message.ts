import { type StreamFault, type StreamWarning, streamFaults, streamWarnings } from '#rules/live/codec.ts';
import { PART } from '#rules/live/part-name.ts';
import { isStreamName, keyIn } from '#rules/live/stream-key.ts';

/** Why an encoder publishes no more. */
const endings = ['stopped', 'closed', 'silent', 'takenOver', 'cut', 'refused'] as const;
export type Ending = (typeof endings)[number];

/** What the process of the ingest says to the server. Frames go by a pipe of their own (`frames.ts`). */
export type FromIngest =
  | { says: 'listens'; port: number }
  /** It cannot listen, and ends. */
  | { says: 'failed'; code: string }
  | { says: 'alive' }
  /** Whose stream a key is. The only message that has one. */
  | { says: 'ask'; id: number; key: string }
  | { says: 'begun'; stream: string }
  | { says: 'over'; stream: string; why: Ending }
  | { says: 'warning'; stream: string; what: StreamWarning }
  | { says: 'refused'; stream: string; why: StreamFault }
  /** A part of the recording began or is whole, in the folder of its stream. */
  | { says: 'part'; stream: string; name: string; whole: boolean };

/** What the server says to it. */
export type ToIngest =
  | { says: 'answer'; id: number; stream: string | null }
  | { says: 'cut'; stream: string }
  | { says: 'end' };

const isWhole = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most;
const isOf = <T extends string>(known: readonly T[], value: unknown): value is T =>
  known.some((each) => each === value);
const keysOf = <T extends object>(known: T) => Object.keys(known) as (keyof T & string)[];
const MOST_ASKS = 2 ** 31;

/** A message of the ingest as it may be, or null: what comes out of a process that talks to strangers is looked at. */
export function readFromIngest(message: unknown): FromIngest | null {
  if (typeof message !== 'object' || message === null) return null;
  const { says, stream, why, what, port, code, id, key, name, whole } = message as Record<string, unknown>;
  switch (says) {
    case 'alive':
      return { says };
    case 'listens':
      return isWhole(port, 65535) ? { says, port } : null;
    case 'failed':
      return typeof code === 'string' && /^[A-Z_]{1,30}$/.test(code) ? { says, code } : null;
    case 'ask':
      return isWhole(id, MOST_ASKS) && typeof key === 'string' && keyIn(key) === key ? { says, id, key } : null;
  }
  if (!isStreamName(stream)) return null;
  switch (says) {
    case 'begun':
      return { says, stream };
    case 'over':
      return isOf(endings, why) ? { says, stream, why } : null;
    case 'warning':
      return isOf(keysOf(streamWarnings), what) ? { says, stream, what } : null;
    case 'refused':
      return isOf(keysOf(streamFaults), why) ? { says, stream, why } : null;
    case 'part':
      return typeof name === 'string' && PART.test(name) && typeof whole === 'boolean'
        ? { says, stream, name, whole }
        : null;
    default:
      return null;
  }
}

/** A message of the server. */
export function readToIngest(message: unknown): ToIngest | null {
  if (typeof message !== 'object' || message === null) return null;
  const { says, id, stream } = message as Record<string, unknown>;
  if (says === 'end') return { says };
  if (says === 'cut') return isStreamName(stream) ? { says, stream } : null;
  if (says !== 'answer' || !isWhole(id, MOST_ASKS)) return null;
  return stream === null || isStreamName(stream) ? { says, id, stream } : null;
}
