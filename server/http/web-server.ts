import { existsSync } from 'node:fs';
import { join } from 'node:path';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import websocket from '@fastify/websocket';
import Ajv from 'ajv';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { calls } from '#contract/all.ts';
import { SMALL_BODY } from '#contract/call.ts';
import type { Drawing } from '#contract/drawing.ts';
import { NO_SITE, type Site } from '#contract/site.ts';
import type { Durability } from '#server/db/durability.ts';
import type { FileOwner } from '#server/files.ts';
import type { Parts } from '#server/parts.ts';
import { makeServeCallback, type ServeCallback } from './callback.ts';
import { Ending } from './ending.ts';
import { answerErrors } from './errors.ts';
import { readForms } from './form.ts';
import { Gathering } from './gathered.ts';
import { serveHealth } from './health.ts';
import { describeCalls } from './openapi.ts';
import { boundPipelining } from './pipelining.ts';
import { inputReader } from './read-input.ts';
import { type FindSession, type MayOpenPack, makeServe, type Serve, sendRefusal } from './serve.ts';
import { makeServeBytes, type ServeBytes } from './serve-bytes.ts';
import { makeServeResumable, type ServeResumable } from './serve-resumable.ts';
import { asksForSocket, MOST_HEARD, makeServeSocket, type ServeSocket, socketFailed } from './socket.ts';
import { bytesForEverybody, serveFiles, serveWeb, siteHeaders, withCollector } from './static.ts';

/**
 * How long a connection may take (milliseconds): for the head of a request, for the whole of it (a slow phone may send a
 * hand-in), without a byte either way, between two requests. What takes longer is destroyed; `look`: how often that is looked for.
 */
const PATIENCE = { head: 20_000, request: 120_000, silence: 120_000, idle: 72_000, look: 5000 };
/** Connections at once: some windows of each of a few thousand people. More are closed at once, so that the process lives. */
const MOST_CONNECTIONS = 20_000;
/** At the end, a window that does not answer the closing of its WebSocket is cut off after this long (milliseconds). */
const CUT_OFF = 1000;

/**
 * One for every web server of a process, since it compiles a schema once. A field that the contract does not declare is taken
 * away ('all': `true` would do so only in schemas that are closed).
 */
const ajv = new Ajv({ coerceTypes: false, useDefaults: true, removeAdditional: 'all', strict: false });

export interface WebServer {
  /** Listens; @returns the port, which is chosen by the system when 0 was asked for. */
  listen(port: number, host: string): Promise<number>;
  /** Answers a request in process, without a socket: for call tests. */
  inject: FastifyInstance['inject'];
  /** Takes no more requests, answers what is under way, then ends; what hangs is refused and cut off after 3 s. */
  close(): Promise<void>;
}

interface Options {
  parts: Parts;
  findSession: FindSession;
  mayOpenPack: MayOpenPack;
  /** The built web app, e.g. dist/web; left out in call tests. */
  webFolder?: string;
  /** What draws its pages; left out: their script alone does. */
  drawing?: Drawing | null;
  /** What stands at the end of every page. */
  site?: Site;
  /** How many proxies in front may name the client's address; 0: none is believed. */
  trustProxies?: number;
  /** Whether `/docs` and `/openapi.json` describe the calls. */
  apiDocs?: boolean;
  /** Whether `/metrics` answers programs on this machine. */
  metrics?: boolean;
  /** Milliseconds in which every call is answered. */
  answerWithin?: number;
  /** How long connections may take; what is left out: `PATIENCE`. */
  patience?: Partial<typeof PATIENCE>;
  durability: Durability;
  /** Whose the stored files are; a file of none of them is shown to nobody. */
  fileOwners: readonly FileOwner[];
  routes(
    serve: Serve,
    serveSocket: ServeSocket,
    serveCallback: ServeCallback,
    serveBytes: ServeBytes,
    serveResumable: ServeResumable,
  ): void;
}

/** Builds the web server around the routes: the only place that constructs the framework. */
export async function buildWebServer({
  parts,
  findSession,
  mayOpenPack,
  webFolder,
  drawing = null,
  site = NO_SITE,
  trustProxies,
  apiDocs = false,
  metrics = false,
  answerWithin,
  patience,
  durability,
  fileOwners,
  routes,
}: Options): Promise<WebServer> {
  const within = { ...PATIENCE, ...patience };
  const app = Fastify({
    loggerInstance: parts.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all: a child for each request costs time with every save, and a failed call is logged by its name.
    childLoggerFactory: (logger) => logger,
    bodyLimit: SMALL_BODY,
    trustProxy: trustProxies ? (_address: string, hop: number) => hop < trustProxies : false,
    forceCloseConnections: 'idle',
    // What comes while the server ends is refused by `Ending`: the framework's own refusal is no envelope.
    return503OnClosing: false,
    requestTimeout: within.request,
    connectionTimeout: within.silence,
    keepAliveTimeout: within.idle,
    http: {
      headersTimeout: within.head,
      connectionsCheckingInterval: within.look,
      shouldUpgradeCallback: asksForSocket,
    },
    // A header or a path that cannot be parsed is the sender's fault, not ours.
    frameworkErrors: (_error, _request, reply) => void sendRefusal(reply as never, { why: 'badInput' }),
    // Destroyed, not ended: who sent half a request would keep the other half of the connection open.
    clientErrorHandler: (error, socket) => {
      const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
      if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      socket.destroy();
    },
  });
  app.server.maxConnections = MOST_CONNECTIONS;
  app.setValidatorCompiler<object>(({ schema, httpPart }) => {
    const read = inputReader(schema, httpPart === 'querystring');
    const isValid = ajv.compile(schema);
    const check: { (input: unknown): boolean; errors?: typeof isValid.errors } = (input) => {
      read(input);
      const valid = isValid(input);
      check.errors = isValid.errors;
      return valid;
    };
    return check;
  });
  answerErrors(app, parts.db.troubles);
  readForms(app);
  const gathering = new Gathering(app, parts.clock);
  boundPipelining(app);
  const ending = new Ending(app, () => gathering.goOn());
  if (apiDocs) {
    await app.register(async (scope) => {
      await siteHeaders(scope);
      await scope.register(swagger, { mode: 'static', specification: { document: describeCalls(calls) } } as never);
      await scope.register(swaggerUi, { routePrefix: '/docs' });
      // Said once: anybody may ask, and it takes as long as a hundred saves.
      const described = JSON.stringify(describeCalls(calls));
      scope.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(described));
    });
  }
  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.header('x-content-type-options', 'nosniff');
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    done();
  });
  await serveHealth(app, parts, { durability, metrics });
  const whoAsks = async (token: string | null) => (token === null ? null : findSession(token, parts.clock()));
  serveFiles(app, parts.files, whoAsks, fileOwners);
  // Sockets have a scope of their own: their plugin would otherwise look at every request.
  let sockets: FastifyInstance = app;
  await app.register(async (scope) => {
    sockets = scope;
    await scope.register(websocket, { options: { maxPayload: MOST_HEARD }, errorHandler: socketFailed });
  });
  // Callbacks have one, too, in which no body is parsed.
  let callbacks: FastifyInstance = app;
  await app.register(async (scope) => {
    callbacks = scope;
  });
  // And so have uploads, whose bodies go where they are kept as they come.
  let uploads: FastifyInstance = app;
  await app.register(async (scope) => {
    uploads = scope;
  });
  routes(
    makeServe(app, { clock: parts.clock, findSession, mayOpenPack, publicUrl: parts.publicUrl, answerWithin }),
    makeServeSocket(sockets, {
      clock: parts.clock,
      findSession,
      publicUrl: parts.publicUrl,
      peopleChanges: parts.db.peopleChanges,
    }),
    makeServeCallback(callbacks, { clock: parts.clock }),
    makeServeBytes(app, { clock: parts.clock, findSession }),
    makeServeResumable(uploads, { clock: parts.clock, findSession, publicUrl: parts.publicUrl }),
  );
  await serveWeb(app, webFolder && existsSync(join(webFolder, 'index.html')) ? webFolder : null, {
    ...{ site, drawing, clock: parts.clock, sources: withCollector(parts.captcha?.sources, site) },
    bytesOf: bytesForEverybody(parts.files, fileOwners),
    onFailure: (error) => parts.log.error({ err: error }, 'a page could not be drawn'),
  });
  return {
    listen: async (port, host) => {
      const address = await app.listen({ port, host });
      return Number(new URL(address).port);
    },
    inject: app.inject.bind(app) as FastifyInstance['inject'],
    close: async () => {
      const cutOff = setTimeout(() => {
        for (const socket of sockets.websocketServer.clients) socket.terminate();
      }, CUT_OFF);
      try {
        await ending.end();
      } finally {
        clearTimeout(cutOff);
      }
    },
  };
}
