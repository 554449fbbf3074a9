import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import type { Callback } from '#contract/callback.ts';
import { Allowances } from './allowances.ts';

/** A provider's message as it came. */
interface CallbackMessage {
  /** The bytes that the signature is over. */
  body: Buffer;
  headers: IncomingHttpHeaders;
  /** What stands behind the question mark of its address. */
  query: URLSearchParams;
  ip: string;
  /** When its body was there (epoch milliseconds). */
  arrivedAt: number;
}

/** What the provider's documentation wants to hear. */
interface CallbackReply {
  status: number;
  type: 'application/json' | 'text/plain' | 'text/xml';
  body: string;
}

/** Binds a declared callback to what answers it; the only way to a route outside of the envelope that takes bodies. */
export type ServeCallback = (declared: Callback, handler: (message: CallbackMessage) => Promise<CallbackReply>) => void;

/** How often machines that have sent nothing for a while are forgotten (milliseconds). */
const FORGET_EVERY = 60_000;

/**
 * Makes `serveCallback` for a scope of its own, in which no body is parsed. What goes wrong is answered with a bare status: a
 * provider reads nothing else, and sends its message again.
 */
export function makeServeCallback(scope: FastifyInstance, { clock }: { clock: () => number }): ServeCallback {
  const all: Allowances<string>[] = [];
  const forgets = setInterval(() => {
    for (const allowances of all) allowances.forget(performance.now());
  }, FORGET_EVERY).unref();
  scope.addHook('onClose', async () => clearInterval(forgets));
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    const status = error.statusCode !== undefined && error.statusCode < 500 ? error.statusCode : 500;
    if (status === 500) request.log.error({ err: error, callback: request.routeOptions.url }, 'callback failed');
    return bare(reply, status);
  });
  return (declared, handler) => {
    const allowances = new Allowances<string>(declared.limits);
    all.push(allowances);
    scope.post(declared.path, { bodyLimit: declared.bodyLimit }, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const entry = allowances.enter(request.ip, body.length, performance.now());
      if (!entry.ok) return bare(reply.header('retry-after', entry.retryAfter), 429);
      try {
        const query = new URLSearchParams(request.url.split('?', 2)[1] ?? '');
        const said = await handler({ body, headers: request.headers, query, ip: request.ip, arrivedAt: clock() });
        return await reply.code(said.status).type(`${said.type}; charset=utf-8`).send(said.body);
      } finally {
        entry.leave();
      }
    });
  };
}

function bare(reply: FastifyReply, status: number): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').send('');
}
