import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';

/** How long requests wait for others (milliseconds). */
const GATHERED_FOR = 100;
/** So many go on at once, however short they have waited: nobody else is answered while they are read. */
const MOST = 100;
/** A longer body goes on at once: it would be kept in memory while it waits, and is counted before it is parsed (`SOON_PARSED` in serve.ts). Bytes. */
const LONGEST = 16 * 1024;

const JSON_TYPE = 'application/json';
/** What the type of a body is called inside that was read in front of the framework. Nothing that has it on the wire was. */
const READ_TYPE = 'application/x-read-in-front';

/** Of a gathered request: when its body had come in whole (epoch milliseconds). */
interface Whole {
  at: number;
  /** Where it waited in front of the framework: its body, and for how long (milliseconds). */
  body: string | null;
  waited: number;
}
const WHOLE = Symbol('whole');
type Incoming = IncomingMessage & { [WHOLE]?: Whole };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** When the body of a gathered request had come in whole (epoch milliseconds); undefined for any other. */
export const wholeSince = (request: FastifyRequest): number | undefined => (request.raw as Incoming)[WHOLE]?.at;

/** How long a request has waited before the framework heard of it, and began to count (milliseconds). */
export const waitedInFront = (request: FastifyRequest): number => (request.raw as Incoming)[WHOLE]?.waited ?? 0;

/**
 * Lets calls that are gathered (contract/call.ts) wait for each other: what came in within `GATHERED_FOR` milliseconds goes on at one
 * moment, in the order in which it came. From there to the answer all work is done for many at once, by a processor that has it at hand.
 * Whoever hangs up meanwhile has said all there was to say: only what has come in whole waits.
 *
 * - Mostly a body comes with its head. Such a request waits in front of the framework, which has not heard of it yet.
 * - A body that comes later, in pieces, or under another name of its type waits behind its reading by the framework.
 *
 * All other bodies of JSON are read at once, as the framework does by itself. Has to be called before the routes are bound.
 */
export class Gathering {
  #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(app: FastifyInstance, clock: () => number) {
    this.#waitBehind(app, clock);
    this.#waitInFront(app, clock);
  }

  /** Lets go on whatever waits. */
  goOn(): void {
    clearTimeout(this.#timer);
    const all = this.#waiting;
    this.#waiting = [];
    for (const one of all) one();
  }

  #wait(one: () => void): void {
    if (this.#waiting.length === 0) this.#timer = setTimeout(() => this.goOn(), GATHERED_FOR);
    this.#waiting.push(one);
    if (this.#waiting.length >= MOST) this.goOn();
  }

  #waitBehind(app: FastifyInstance, clock: () => number): void {
    const parse = app.getDefaultJsonParser('error', 'error');
    app.addContentTypeParser(JSON_TYPE, { parseAs: 'string' }, (request, body, done) => {
      const read = () => void parse(request, body as string, done);
      if (!request.routeOptions.config.gathered) return read();
      (request.raw as Incoming)[WHOLE] = { at: clock(), body: null, waited: 0 };
      this.#wait(read);
    });
    app.addContentTypeParser(READ_TYPE, (request, _payload, done) => {
      const body = (request.raw as Incoming)[WHOLE]?.body ?? null;
      if (body === null) return done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
      request.headers['content-type'] = JSON_TYPE;
      void parse(request, body, done);
    });
  }

  #waitInFront(app: FastifyInstance, clock: () => number): void {
    const paths = new Set<string>();
    app.addHook('onRoute', ({ config, url }) => {
      if (config?.gathered) paths.add(url);
    });
    const [answer] = app.server.listeners('request') as Answer[];
    if (!answer) throw new Error('the framework does not listen');
    const come = (request: Incoming, response: ServerResponse) => {
      const { headers, readableLength: length } = request;
      const isWhole = headers['content-type'] === JSON_TYPE && Number(headers['content-length']) === length;
      if (!isWhole || length > LONGEST) return answer(request, response);
      const [at, since] = [clock(), performance.now()];
      this.#wait(() => {
        // Whoever has hung up meanwhile has left it there, too.
        const body: Buffer | null = request.read();
        request[WHOLE] = { at, body: body?.toString() ?? '', waited: performance.now() - since };
        headers['content-type'] = READ_TYPE;
        answer(request, response);
      });
    };
    app.server.off('request', answer);
    app.server.on('request', (request, response) => {
      if (request.method !== 'POST' || !paths.has(request.url ?? '')) return answer(request, response);
      // A body that came with this head is parsed behind it, before the next tick.
      process.nextTick(come, request, response);
    });
  }
}
