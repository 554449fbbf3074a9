import { finished } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Bytes } from '#contract/bytes.ts';
import { isRefused, type Refused, type SignedIn } from './answer.ts';
import { ownCookie, pathCookie } from './cookie.ts';
import { type SentBytes, sendBytes } from './send-file.ts';
import { type FindSession, GRANT_COOKIE, SESSION_COOKIE, sendRefusal, tokenOf } from './serve.ts';

/** Who asks for bytes, and for which. */
interface BytesAsk {
  /** Of what. */
  id: number;
  /** The rest of the address. */
  part: string;
  /** The grant that came, as a cookie or as a bearer; null: none. */
  grant: string | null;
  /** Who is signed in at this browser; `unknown`: a session came that is none; null: none came. */
  session(): Promise<SignedIn | 'unknown' | null>;
  /** Who is signed in, by the cookie or, of a client that is no browser, by a bearer; null: nobody. */
  caller(): Promise<SignedIn | null>;
  arrivedAt: number;
}

/** Some text, or bytes that are sent whole or in part; `person`: to whom, null: a visitor. */
export type BytesReply = { type: string; text: string | Buffer } | (SentBytes & { person: number | null });

/** Binds declared bytes to what finds them; the only way to a route of a feature that answers with something else than an envelope. */
export type ServeBytes = (declared: Bytes, handler: (ask: BytesAsk) => Promise<BytesReply | Refused>) => void;

/** What belongs to one person is kept by nobody on the way, and by no browser. */
export const PRIVATE = 'private, no-store';

/**
 * So many answers with bytes one person may have under way at one server: each has an open file and a piece of it in memory for as long as its reader
 * takes nothing. A player asks for two or three at once, a browser for six of one host.
 */
const MOST_UNDER_WAY = 60;

/** Makes `serveBytes` for one web server. What is refused is answered with the envelope that calls have. */
export function makeServeBytes(
  app: FastifyInstance,
  { clock, findSession }: { clock: () => number; findSession: FindSession },
): ServeBytes {
  const underWay = new Map<number, number>();

  /** Counts an answer to a person until it is through, or its reader has left. @returns false: they have too many */
  function enter(person: number, reply: FastifyReply): boolean {
    const count = underWay.get(person) ?? 0;
    if (count >= MOST_UNDER_WAY) return false;
    underWay.set(person, count + 1);
    finished(reply.raw, () => {
      const left = (underWay.get(person) ?? 1) - 1;
      if (left === 0) underWay.delete(person);
      else underWay.set(person, left);
    });
    return true;
  }

  return (declared, handler) => {
    app.get(`${declared.path}:id/*`, async (request, reply) => {
      const { id, '*': part } = request.params as { id: string; '*': string };
      const arrivedAt = clock();
      const { cookie, authorization } = request.headers;
      const bearer = authorization?.startsWith('Bearer ') ? authorization.slice(7).trim() : null;
      const token = ownCookie(cookie, SESSION_COOKIE);
      const said = await handler({
        id: /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0,
        part,
        grant: bearer || pathCookie(cookie, GRANT_COOKIE),
        caller: async () => {
          const known = tokenOf(request, null);
          return known ? findSession(known, arrivedAt) : null;
        },
        session: async () => (token ? ((await findSession(token, arrivedAt)) ?? 'unknown') : null),
        arrivedAt,
      });
      if (isRefused(said)) return sendRefusal(reply, said.refused);
      reply.header('cache-control', PRIVATE);
      if ('text' in said) return reply.type(said.type).send(said.text);
      if (said.person !== null && !enter(said.person, reply))
        return sendRefusal(reply.header('retry-after', 1), { why: 'tooMany' });
      return sendBytes(request, reply, said);
    });
  };
}
