import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { ping } from '#server/db/open.ts';
import type { Parts } from '#server/parts.ts';
import { CallDurations } from './durations.ts';

/** `/healthz` the process lives · `/readyz` the database answers, and whether the time is sure · `/metrics` for Prometheus, from this machine only. */
export function serveHealth(app: FastifyInstance, parts: Parts): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new CallDurations();
  const isSure = async () => (await parts.sureTime(parts.db.query)) !== null;
  const uncertain: Gauge = new Gauge({
    name: 'lixue_clock_uncertain',
    help: '1 while the clock was just started or moved: what cannot be undone waits',
    registers: [registry],
    collect: async (): Promise<void> => uncertain.set((await isSure().catch(() => false)) ? 0 : 1),
  });
  app.addHook('onResponse', (request, reply, done) => {
    durations.observe(request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  app.get('/healthz', async () => ({ ok: true }));
  app.get('/readyz', async (_request, reply) => {
    try {
      await ping(parts.db.query);
      return { ok: true, clock: (await isSure()) ? 'sure' : 'uncertain' };
    } catch (error) {
      parts.log.error({ err: error }, 'database does not answer');
      return reply.code(503).send({ ok: false });
    }
  });
  app.get('/metrics', async (request, reply) => {
    const local = request.socket.remoteAddress ?? '';
    if (request.headers['x-forwarded-for'] !== undefined || !/^(::ffff:)?127\.|^::1$/.test(local)) {
      return reply.code(404).send();
    }
    return reply.type(registry.contentType).send((await registry.metrics()) + durations.text());
  });
}
