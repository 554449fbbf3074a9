import type { FastifyInstance, FastifyRequest } from 'fastify';

/** How long bodies wait for others (milliseconds). */
const GATHERED_FOR = 100;
/** So many go on at once, however short they have waited: nobody else is answered while they are read. */
const MOST = 100;

/** When the body of a request that is read with others had come in whole (epoch milliseconds). */
const whole = new WeakMap<FastifyRequest, number>();

/** When the body of a gathered request had come in whole (epoch milliseconds); undefined for any other. */
export const wholeSince = (request: FastifyRequest): number | undefined => whole.get(request);

/**
 * Reads the bodies of calls that are gathered (contract/call.ts) together: what came in within `GATHERED_FOR` milliseconds goes on at
 * one moment, in the order in which it came. From there to the answer all work is done for many at once, by a processor that has it at
 * hand. They wait here, behind their body and in front of everything else: whoever hangs up meanwhile has said all there was to say.
 * All other bodies of JSON are read at once, as the framework does by itself.
 */
export function readGathered(app: FastifyInstance, clock: () => number): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  let waiting: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const goOn = () => {
    clearTimeout(timer);
    const all = waiting;
    waiting = [];
    for (const read of all) read();
  };
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const read = () => void parse(request, body as string, done);
    if (!request.routeOptions.config.gathered) return read();
    whole.set(request, clock());
    if (waiting.length === 0) timer = setTimeout(goOn, GATHERED_FOR);
    waiting.push(read);
    if (waiting.length >= MOST) goOn();
  });
}
