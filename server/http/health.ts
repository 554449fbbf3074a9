import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Durability } from '#server/db/durability.ts';
import type { Db } from '#server/db/open.ts';
import { readSetting, writeSetting } from '#server/db/settings-store.ts';
import { type Trouble, troubleOf } from '#server/db/trouble.ts';
import type { Parts } from '#server/parts.ts';
import { CallDurations } from './durations.ts';
import { waitedInFront } from './gathered.ts';
import { sendRefusal } from './serve.ts';
import { siteHeaders } from './static.ts';

/** A load balancer waits for an answer as long as this (milliseconds). */
const READY_WITHIN = 2000;
/** What the database has of it for a transaction that another process's lock keeps from beginning. */
const LOCK_WITHIN = 1200;

/** The setting that is written to see whether the disk takes anything again. */
const AFTER_TROUBLE = 'written_after_trouble';

/** Why the server is not ready, in a word: a trouble of the database, its silence, or commits that could be lost. */
type NotReady = Trouble | 'silent' | 'broken' | 'notDurable';

/**
 * Looks whether the database would take a save: a transaction can begin, and after a full disk or a fault of it a write goes
 * through again. However often it is asked for, one look is under way.
 */
function readiness(db: Db, durability: Durability): () => Promise<NotReady | null> {
  let looking: Promise<NotReady | null> | null = null;
  const look = async (): Promise<NotReady | null> => {
    try {
      await db.transaction(
        async (trx) => {
          if (db.troubles.mayBeFull) await writeSetting(trx, AFTER_TROUBLE, String(Date.now()));
          else await readSetting(trx, AFTER_TROUBLE);
        },
        { patience: LOCK_WITHIN, idempotent: () => true },
      );
      db.troubles.wrote();
      return durability.weak() === null ? null : 'notDurable';
    } catch (error) {
      return troubleOf(error) ?? 'broken';
    }
  };
  return async () => {
    looking ??= look().finally(() => {
      looking = null;
    });
    let late: NodeJS.Timeout | undefined;
    const silent = new Promise<'silent'>((resolve) => {
      late = setTimeout(() => resolve('silent'), READY_WITHIN);
    });
    try {
      return await Promise.race([looking, silent]);
    } finally {
      clearTimeout(late);
    }
  };
}

/**
 * `/healthz` the process lives · `/readyz` the database takes saves, and whether the time is sure · `/metrics` for
 * Prometheus, where the operator wants it and from this machine only.
 */
export async function serveHealth(
  app: FastifyInstance,
  parts: Parts,
  { durability, metrics }: { durability: Durability; metrics: boolean },
): Promise<void> {
  app.get('/healthz', async () => ({ ok: true }));
  const notReady = readiness(parts.db, durability);
  let before: NotReady | null = null;
  app.get('/readyz', async (_request, reply) => {
    const why = await notReady();
    if (why !== before) parts.log.warn({ why }, why === null ? 'ready again' : 'not ready');
    before = why;
    if (why !== null) return reply.code(503).send({ ok: false, why });
    return { ok: true, clock: (await isSure(parts)) ? 'sure' : 'uncertain' };
  });
  if (metrics) await serveMetrics(app, parts);
}

/** Whether the clock can be trusted with what cannot be undone. */
async function isSure({ db, sureTime }: Parts): Promise<boolean> {
  return (await sureTime(db.query).catch(() => null)) !== null;
}

async function serveMetrics(app: FastifyInstance, parts: Parts): Promise<void> {
  const process = new Registry();
  collectDefaultMetrics({ register: process });
  const uncertain: Gauge = new Gauge({
    name: 'lixue_clock_uncertain',
    help: '1 while the clock was just started or moved: what cannot be undone waits',
    registers: [process],
    collect: async (): Promise<void> => uncertain.set((await isSure(parts)) ? 0 : 1),
  });
  const durations = new CallDurations();
  app.addHook('onResponse', (request, reply, done) => {
    const took = waitedInFront(request) + reply.elapsedTime;
    durations.observe(request.routeOptions.url ?? 'none', reply.statusCode, took / 1000);
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
