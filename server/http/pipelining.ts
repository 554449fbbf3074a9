import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Requests of one connection that may come before the answers to those in front of them, one after the other. */
const MOST_BEHIND = 8;

/**
 * Cuts off connections that send requests on and on without waiting for answers (RFC 9112 §9.3.2 lets a client do so). The
 * web server reads them all while their answers wait for their turn, so that one connection could fill the memory. No browser
 * does it, nor does a proxy; one that follows the last byte of an answer so fast that its end was not noted yet is none.
 * Has to be told of requests before anything else is.
 */
export function boundPipelining(app: FastifyInstance): void {
  const behind = new WeakMap<Socket, number>();
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    // An answer has its connection only when those before it are through.
    if (reply.raw.socket !== null) {
      behind.delete(socket);
      return done();
    }
    const count = (behind.get(socket) ?? 0) + 1;
    behind.set(socket, count);
    if (count <= MOST_BEHIND) return done();
    // Nobody is there any more to be answered: those that came with it go no further either.
    socket.destroy();
  });
}
