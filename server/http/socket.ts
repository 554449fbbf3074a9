import type { FastifyInstance } from 'fastify';
import type { SignedIn } from './answer.ts';
import { type FindSession, isCrossSite, tokenOf } from './serve.ts';

/** One open WebSocket as a feature sees it. */
interface Socket {
  /** Sends a message as JSON; does nothing on a socket that has closed. */
  send(message: unknown): void;
  close(): void;
  /** Called once: when it closes, or at once when it already has. */
  onClose(done: () => void): void;
}

/** Binds a path to a WebSocket handler; the person is signed in, the query is passed as text. */
export type ServeSocket = (
  path: `/${string}`,
  handler: (socket: Socket, user: SignedIn, query: Record<string, string>) => Promise<void>,
) => void;

/** Closing codes of our own (RFC 6455 §7.4.2 leaves 4000–4999 to applications). */
const NOT_SIGNED_IN = 4401;
const REFUSED = 4400;
const TOO_MANY = 4429;
/** Open sockets of one person at one server: far more windows than anybody answers in. */
const MOST_OF_ONE = 50;
/** A connection that died without a word is noticed by the next ping. */
const PING_EVERY = 25_000;

/** Makes `serveSocket` for one web server, in the scope that has the socket plugin: same sign-in, same refusal of other sites as a writing call. */
export function makeServeSocket(
  app: FastifyInstance,
  surroundings: { clock: () => number; findSession: FindSession; publicUrl: string | null },
): ServeSocket {
  const open = new Map<number, number>();
  return (path, handler) => {
    app.get(path, { websocket: true }, async (socket, request) => {
      // Before anything is waited for: a socket that closes meanwhile must leave nothing behind either.
      const partings: (() => void)[] = [];
      socket.on('close', () => {
        for (const part of partings.splice(0)) part();
      });
      const atClose = (part: () => void) => {
        if (socket.readyState === socket.CLOSED) part();
        else partings.push(part);
      };
      // Nothing is to be heard from a browser: what comes all the same is dropped unread, so that it fills no memory.
      socket.on('error', () => socket.terminate());
      const token = tokenOf(request, null);
      const user = token === null ? null : await surroundings.findSession(token, surroundings.clock());
      if (user === null) return socket.close(NOT_SIGNED_IN);
      if (isCrossSite(request, surroundings.publicUrl)) return socket.close(REFUSED);
      const own = (open.get(user.userId) ?? 0) + 1;
      if (own > MOST_OF_ONE) return socket.close(TOO_MANY);
      open.set(user.userId, own);
      atClose(() => {
        const left = (open.get(user.userId) ?? 1) - 1;
        if (left > 0) open.set(user.userId, left);
        else open.delete(user.userId);
      });
      let alive = true;
      socket.on('pong', () => {
        alive = true;
      });
      const pings = setInterval(() => {
        if (!alive) return socket.terminate();
        alive = false;
        socket.ping();
      }, PING_EVERY);
      atClose(() => clearInterval(pings));
      const query: Record<string, string> = {};
      for (const [name, value] of Object.entries(request.query as object))
        if (typeof value === 'string') query[name] = value;
      try {
        await handler(
          {
            send: (message) => {
              if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
            },
            close: () => socket.close(1000),
            onClose: atClose,
          },
          user,
          query,
        );
      } catch (error) {
        request.log.error({ err: error, call: request.routeOptions.url }, 'socket failed');
        socket.close(1011);
      }
    });
  };
}
