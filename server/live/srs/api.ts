import { readSrsStreams, type SrsStream } from '#rules/live/srs.ts';

/** How long an answer may take (milliseconds): an encoder waits meanwhile. */
const WITHIN = 2500;
/** Streams of one answer, and answers: it lists ten or one unless asked for more. */
const AT_ONCE = 500;
const MOST_ANSWERS = 10;
/** Bytes of one answer: some thousand for each stream. */
const LONGEST = 4 * 1024 * 1024;

/** The HTTP API of SRS, as far as lessons need it. */
interface SrsApi {
  /** Who sends now; null: it cannot be asked. */
  streams(): Promise<SrsStream[] | null>;
  /** Ends a connection. It may be gone already. */
  kick(client: string): Promise<void>;
}

export function srsApi(address: string): SrsApi {
  const { username, password, origin, pathname } = new URL(address);
  const account = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const headers: Record<string, string> =
    username === '' ? {} : { authorization: `Basic ${Buffer.from(account).toString('base64')}` };
  const base = `${origin}${pathname.replace(/\/$/, '')}/api/v1`;
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(`${base}${path}`, {
      ...{ method, headers, redirect: 'error', signal: AbortSignal.timeout(WITHIN) },
    });
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of answer.body ?? []) {
      length += piece.byteLength;
      if (length > LONGEST) return null;
      pieces.push(piece);
    }
    return answer.ok ? Buffer.concat(pieces).toString('utf8') : null;
  };
  return {
    streams: async () => {
      const all: SrsStream[] = [];
      for (let page = 0; page < MOST_ANSWERS; page += 1) {
        const read = await ask(`/streams/?start=${page * AT_ONCE}&count=${AT_ONCE}`)
          .then((text) => readSrsStreams(text === null ? null : JSON.parse(text)))
          .catch(() => null);
        if (read === null) return null;
        all.push(...read.streams);
        if (read.listed < AT_ONCE) break;
      }
      return all;
    },
    kick: async (client) => {
      await ask(`/clients/${encodeURIComponent(client)}`, 'DELETE').catch(() => null);
    },
  };
}
