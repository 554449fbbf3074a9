import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { refusals } from '#contract/envelope.ts';
import { refusalJson, sendRefusal } from './serve.ts';

/** At the end, a request that has not come in whole, and an answer that takes this long, are given up (milliseconds). */
const GIVE_UP = 3000;

/**
 * Ends a web server within seconds, whatever its clients do: what is under way is answered, what comes after that is
 * refused, and what hangs (half a request that was never sent on, a call whose disk hangs) is refused after a while and
 * cut off. Every refusal is an envelope, so that a browser keeps what it sent and knows why.
 */
export class Ending {
  readonly #app: FastifyInstance;
  readonly #begin: () => void;
  /** The open connections, each with the answer to its latest request. */
  readonly #connections = new Map<Socket, ServerResponse | null>();
  #begun = false;

  /**
   * Has to be made before the routes.
   * @param begin makes go on what waits in front of the framework: it came before the end
   */
  constructor(app: FastifyInstance, begin: () => void) {
    this.#app = app;
    this.#begin = begin;
    app.server.on('connection', (socket: Socket) => {
      this.#connections.set(socket, null);
      socket.once('close', () => this.#connections.delete(socket));
    });
    app.addHook('onRequest', (request, reply, done) => {
      if (this.#begun) {
        const { kept } = request.routeOptions.config;
        return void sendRefusal(reply.header('connection', 'close'), { why: kept ? 'cannotSave' : 'busy' });
      }
      if (this.#connections.has(request.raw.socket)) this.#connections.set(request.raw.socket, reply.raw);
      done();
    });
  }

  /** Takes no more requests, answers what is under way, and resolves when every connection is closed. */
  async end(): Promise<void> {
    this.#begin();
    this.#begun = true;
    // A connection that falls idle after its last answer would be kept open for its next request, which never comes.
    const idle = setInterval(() => this.#app.server.closeIdleConnections(), 100);
    const late = setTimeout(() => {
      for (const [socket, answer] of this.#connections) giveUp(socket, answer);
    }, GIVE_UP);
    try {
      await this.#app.close();
    } finally {
      clearInterval(idle);
      clearTimeout(late);
    }
  }
}

/** Refuses what was asked on a connection, where no answer has begun, and cuts it off. */
function giveUp(socket: Socket, answer: ServerResponse | null): void {
  if (answer === null || answer.headersSent) {
    socket.destroy();
    return;
  }
  const text = refusalJson({ why: 'busy' });
  answer.writeHead(refusals.busy.code, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    connection: 'close',
  });
  answer.end(text, () => socket.destroySoon());
}
