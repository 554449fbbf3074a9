import type { IncomingMessage } from 'node:http';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sockets } from '#contract/all.ts';
import type { Why } from '#contract/envelope.ts';
import type { Socket as Declared, MessageOf, SocketInput } from '#contract/socket.ts';
import { takeMore, type Used } from '#rules/user/allowance.ts';
import type { SignedIn } from './answer.ts';
import { pathCookie } from './cookie.ts';
import { type FindSession, GRANT_COOKIE, isCrossSite, sendRefusal, tokenOf } from './serve.ts';

/** One open WebSocket as a feature sees it. */
interface Socket<M> {
  /** Sends a message as JSON, which is not changed afterwards; does nothing on a socket that has closed. */
  send(message: M): void;
  /** Sends bytes as they are, also beyond `limits.waiting`: who sends many looks at `waiting` before. */
  sendBytes(bytes: Buffer): void;
  /** Bytes that were sent and not taken yet. */
  waiting(): number;
  /** @param code of our own (4000 to 4999), for a window that has to know why */
  close(code?: number): void;
  /** Called once: when it closes, or at once when it already has. */
  onClose(done: () => void): void;
}

/** Who opened a socket, and with what. */
interface Opened<I> {
  input: I;
  user: SignedIn;
}

/** What is asked beside session, origin and allowance before a socket opens: null lets it open. @param grant the cookie of its path */
type Admit<I> = (asked: Opened<I> & { grant: string | null }) => Promise<Why | null>;

/** Binds a declared socket to its handler; the only way a feature gets one. */
export type ServeSocket = <S extends Declared>(
  socket: S,
  handler: (socket: Socket<MessageOf<S>>, opened: Opened<SocketInput<S>>) => Promise<void>,
  admit?: Admit<SocketInput<S>>,
) => void;

/** Bytes of one message from a browser, of which nothing is heard anyway. */
export const MOST_HEARD = 4096;
/** How long a browser may take to agree that a socket closes (milliseconds); one that does not is cut. */
const FAREWELL = 2000;

/** Closes a socket, also one whose other side never says goodbye: it would count as there for half a minute. */
function closeSoon(socket: WebSocket, code: number): void {
  socket.close(code);
  setTimeout(() => socket.terminate(), FAREWELL).unref();
}

/** What is no WebSocket ends its connection, which is no trouble of ours; whatever else failed there is. */
export function socketFailed(error: Error & { code?: string }, socket: WebSocket, request: FastifyRequest): void {
  socket.terminate();
  if (error.code?.startsWith('WS_ERR_') || error.code === 'ECONNRESET' || error.code === 'EPIPE')
    request.log.debug({ err: error }, 'a socket was cut');
  else request.log.error({ err: error }, 'socket failed');
}

/** Closing codes of our own (RFC 6455 §7.4.2 leaves 4000–4999 to applications). */
const SIGNED_OUT = 4401;
const TOO_MANY = 4429;
/** A connection that died without a word is noticed by the next ping. */
const PING_EVERY = 25_000;
/** What is counted of each message and ping beside its bytes, so that empty ones are not free. */
const EACH_FRAME = 64;
const MINUTE = 60_000;

/** How often it is looked whether people have changed, so that a sign-out ends the person's sockets (milliseconds). */
const LOOK_EVERY = 1000;
/** Every so many looks each session is asked for anyway: it may have run out, or ended at another server. */
const LOOKS_TO_ASK = 10;

interface Surroundings {
  clock: () => number;
  findSession: FindSession;
  publicUrl: string | null;
  /** As of the database: another number after people or sessions changed. */
  peopleChanges: () => number;
}

/** A socket that is open, with the session that opened it. */
interface OpenSocket {
  token: string;
  role: SignedIn['role'];
  end(): void;
}

const socketPaths: ReadonlySet<string> = new Set(sockets.map(({ socket }) => socket.path));

/**
 * Whether a request asks for one of our sockets. Any other that asks for an upgrade is answered as if it did not (RFC 9110
 * §7.8): a connection that is given up for an upgrade hears no further request and is bound by no time, and a proxy would
 * send other people's requests by it.
 */
export function asksForSocket({ method, url = '', headers }: IncomingMessage): boolean {
  const [path = ''] = url.split('?');
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && socketPaths.has(path);
}

/**
 * Makes `serveSocket` for one web server, in the scope that has the socket plugin. Who asks, from where and how often is
 * decided before a socket opens; while it is open its session is looked at again and again.
 */
export function makeServeSocket(app: FastifyInstance, surroundings: Surroundings): ServeSocket {
  const allOpen = new Set<OpenSocket>();
  endWithSessions(app, allOpen, surroundings);
  return (declared, handler, admit) => {
    const { limits } = declared;
    const openBy = new Map<number, number>();
    const openedBy = new Map<number, Used>();
    const openings = { most: limits.opensPerMinute, within: MINUTE };
    const askers = new WeakMap<FastifyRequest, { user: SignedIn; token: string }>();
    const forgets = setInterval(() => {
      const before = performance.now() - MINUTE;
      for (const [userId, { at }] of openedBy) if (at < before) openedBy.delete(userId);
    }, MINUTE).unref();
    app.addHook('onClose', async () => clearInterval(forgets));

    async function decide(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
      if (!request.ws) return;
      if (isCrossSite(request, surroundings.publicUrl)) return sendRefusal(reply, { why: 'crossSite' });
      const token = tokenOf(request, null);
      if (token !== null && hidesItsSite(request)) return sendRefusal(reply, { why: 'crossSite' });
      const user = token === null ? null : await surroundings.findSession(token, surroundings.clock());
      if (token === null || user === null) return sendRefusal(reply, { why: 'notSignedIn' });
      if (declared.who === 'teacher' && user.role !== 'teacher') return sendRefusal(reply, { why: 'notAllowed' });
      const opened = takeMore(openings, openedBy.get(user.userId), 1, performance.now());
      if (!opened.ok || (openBy.get(user.userId) ?? 0) >= limits.open) return sendRefusal(reply, { why: 'tooMany' });
      openedBy.set(user.userId, opened.used);
      const input = request.query as SocketInput<typeof declared>;
      const grant = pathCookie(request.headers.cookie, GRANT_COOKIE);
      const why = admit ? await admit({ input, user, grant }) : null;
      if (why !== null) return sendRefusal(reply, { why });
      askers.set(request, { user, token });
      return undefined;
    }

    const serve = async (socket: WebSocket, request: FastifyRequest): Promise<void> => {
      // Before anything is waited for: a socket that closes meanwhile must leave nothing behind either.
      const partings: (() => void)[] = [];
      socket.on('close', () => {
        for (const part of partings.splice(0)) part();
      });
      const atClose = (part: () => void) => {
        if (socket.readyState === socket.CLOSED) part();
        else partings.push(part);
      };
      socket.on('error', () => socket.terminate());
      const asker = askers.get(request);
      if (!asker) return closeSoon(socket, SIGNED_OUT);
      const { user, token } = asker;
      // Of many that are decided in one moment some come here too many.
      const own = (openBy.get(user.userId) ?? 0) + 1;
      if (own > limits.open) return closeSoon(socket, TOO_MANY);
      openBy.set(user.userId, own);
      atClose(() => {
        const left = (openBy.get(user.userId) ?? 1) - 1;
        if (left > 0) openBy.set(user.userId, left);
        else openBy.delete(user.userId);
      });
      const open: OpenSocket = { token, role: user.role, end: () => closeSoon(socket, SIGNED_OUT) };
      allOpen.add(open);
      atClose(() => allOpen.delete(open));

      // Nothing is to be heard from a browser: a little is dropped, who says more is cut off.
      let heard: Used | undefined;
      const hear = (bytes: number) => {
        const more = takeMore({ most: limits.bytesPerMinute, within: MINUTE }, heard, bytes, performance.now());
        if (more.ok) heard = more.used;
        else socket.terminate();
      };
      socket.on('message', (data) => hear(EACH_FRAME + sizeOf(data)));
      socket.on('ping', () => hear(EACH_FRAME));
      let alive = true;
      socket.on('pong', () => {
        alive = true;
        hear(EACH_FRAME);
      });
      const pings = setInterval(() => {
        if (!alive) return socket.terminate();
        alive = false;
        socket.ping();
      }, PING_EVERY);
      atClose(() => clearInterval(pings));
      try {
        await handler(
          {
            send: (message) => {
              if (socket.readyState !== socket.OPEN) return;
              const { text, bytes } = written(message);
              if (socket.bufferedAmount + bytes > limits.waiting) socket.terminate();
              else socket.send(text);
            },
            sendBytes: (bytes) => {
              if (socket.readyState === socket.OPEN) socket.send(bytes);
            },
            waiting: () => socket.bufferedAmount,
            close: (code = 1000) => closeSoon(socket, code),
            onClose: atClose,
          },
          { input: request.query as SocketInput<typeof declared>, user },
        );
      } catch (error) {
        request.log.error({ err: error, call: request.routeOptions.url }, 'socket failed');
        closeSoon(socket, 1011);
      }
    };
    app.route({
      method: 'GET',
      url: declared.path,
      schema: { querystring: declared.input },
      // Nothing more is heard on a connection whose upgrade was refused.
      onRequest: async (request, reply) => {
        if (request.ws) reply.header('connection', 'close');
      },
      preHandler: decide,
      wsHandler: serve,
      // Who asks for no socket here.
      handler: (_request, reply) => sendRefusal(reply, { why: 'notFound' }),
    });
  };
}

/**
 * Whether a session came by cookie without a word on whose page opened the socket. Every browser says it (RFC 6455 §4.1), and no other rule keeps a
 * page of another site from reading what a socket says; programs come with a token instead.
 */
const hidesItsSite = ({ headers }: FastifyRequest) =>
  headers.origin === undefined && headers['sec-fetch-site'] === undefined && headers.authorization === undefined;

/** What is said to a thousand windows is written once. */
const asWritten = new WeakMap<object, { text: string; bytes: number }>();
function written(message: unknown): { text: string; bytes: number } {
  const known = typeof message === 'object' && message !== null ? asWritten.get(message) : undefined;
  if (known) return known;
  const text = JSON.stringify(message);
  const made = { text, bytes: Buffer.byteLength(text) };
  if (typeof message === 'object' && message !== null) asWritten.set(message, made);
  return made;
}

const sizeOf = (data: ArrayBuffer | Buffer | Buffer[]) =>
  Array.isArray(data) ? data.reduce((sum, part) => sum + part.length, 0) : data.byteLength;

/** Ends open sockets whose session has ended: signed out, run out, its person switched off or in another role. */
function endWithSessions(
  app: FastifyInstance,
  open: ReadonlySet<OpenSocket>,
  { clock, findSession, peopleChanges }: Surroundings,
): void {
  let seen = peopleChanges();
  let looks = 0;
  let asking = false;
  const ask = async () => {
    const byToken = Map.groupBy(open, ({ token }) => token);
    // One after the other: they are many, and nobody waits for them.
    for (const [token, sockets] of byToken) {
      const user = await findSession(token, clock());
      for (const socket of sockets) if (user === null || user.role !== socket.role) socket.end();
    }
  };
  const look = setInterval(() => {
    if (asking || open.size === 0) return;
    looks += 1;
    const now = peopleChanges();
    if (now === seen && looks < LOOKS_TO_ASK) return;
    seen = now;
    looks = 0;
    asking = true;
    ask()
      // A database that is away says nothing of sessions: asked again at the next change or turn.
      .catch((error: unknown) => app.log.warn({ err: error }, 'sessions of open sockets'))
      .finally(() => {
        asking = false;
      });
  }, LOOK_EVERY).unref();
  app.addHook('onClose', async () => clearInterval(look));
}
