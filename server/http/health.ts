import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { ping } from '#server/db/open.ts';
import type { Parts } from '#server/parts.ts';
import { CallDurations } from './durations.ts';
import { sendRefusal } from './serve.ts';
import { siteHeaders } from './static.ts';

/**
 * `/healthz` the process lives · `/readyz` the database answers, and whether the time is sure · `/metrics` for Prometheus, where the operator wants it
 * and from this machine only.
 */
export async function serveHealth(app: FastifyInstance, parts: Parts, metrics: boolean): Promise<void> {
  app.get('/healthz', async () => ({ ok: true }));
  app.get('/readyz', async (_request, reply) => {
    try {
      await ping(parts.db.query);
      return { ok: true, clock: (await isSure(parts)) ? 'sure' : 'uncertain' };
    } catch (error) {
      parts.log.error({ err: error }, 'database does not answer');
      return reply.code(503).send({ ok: false });
    }
  });
  if (metrics) await serveMetrics(app, parts);
}

/** Whether the clock can be trusted with what cannot be undone. */
async function isSure({ db, sureTime }: Parts): Promise<boolean> {
  return (await sureTime(db.query)) !== null;
}

async function serveMetrics(app: FastifyInstance, parts: Parts): Promise<void> {
  const process = new Registry();
  collectDefaultMetrics({ register: process });
  const uncertain: Gauge = new Gauge({
    name: 'lixue_clock_uncertain',
    help: '1 while the clock was just started or moved: what cannot be undone waits',
    registers: [process],
    collect: async (): Promise<void> => uncertain.set((await isSure(parts).catch(() => false)) ? 0 : 1),
  });
  const durations = new CallDurations();
  app.addHook('onResponse', (request, reply, done) => {
    durations.observe(request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  await app.register(async (scope) => {
    await siteHeaders(scope);
    scope.get('/metrics', async (request, reply) => {
      const local = request.socket.remoteAddress ?? '';
      if (request.headers['x-forwarded-for'] !== undefined || !/^(::ffff:)?127\.|^::1$/.test(local)) {
        return sendRefusal(reply, { why: 'notFound' });
      }
      const text = await Promise.all([process.metrics(), parts.metrics.metrics()]);
      return reply.type(process.contentType).send(text.join('') + durations.text());
    });
  });
}
