import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { type Call, type DataOf, type InputOf, SMALL_BODY } from '#contract/call.ts';
import { type Refusal, refusals } from '#contract/envelope.ts';
import type { Access } from '#rules/course/access.ts';
import { Allowances, type Entry } from './allowances.ts';
import { type Ask, isReadyJson, isRefused, type ReadyJson, type Refused, type SignedIn } from './answer.ts';
import { ownCookie, pathCookieName, readCookie, SECURE_PREFIX, writeCookie } from './cookie.ts';
import { formFault } from './form.ts';
import { wholeSince } from './gathered.ts';
import { bytesOf, gzipOf, KeptText } from './kept-text.ts';
import { onceFor } from './once-for.ts';
import { ReadTurns } from './read-turns.ts';
import { jsonOf } from './serialize.ts';
import { WaitingCalls } from './waiting-calls.ts';

type UserOf<C extends Call> = C['who'] extends 'visitor' ? SignedIn | null : SignedIn;
/** Answers one call: its data, its data as ready JSON, or a refusal. */
type Handler<C extends Call> = (
  ask: Ask<InputOf<C>, UserOf<C>>,
) => Promise<DataOf<C> | ReadyJson | Refused> | DataOf<C> | ReadyJson | Refused;
/** Binds a declared call to its handler; the only way a feature gets a route. */
export type Serve = <C extends Call>(call: C, handler: Handler<C>) => void;

/** Whether someone may open a pack, for calls that say `who: 'enrolled'` and are not gathered. */
export type MayOpenPack = (userId: number, packId: number) => Promise<Access>;

/** Finds the person of a session token; null when there is none or it has ended. */
export type FindSession = (token: string, now: number) => Promise<SignedIn | null>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** As of the call (contract/call.ts). */
    kept?: boolean;
    form?: boolean;
    gathered?: boolean;
  }
}

export const SESSION_COOKIE = 'lixue_session';
const DEVICE_COOKIE = 'lixue_device';
/** What `Ask.setGrant` sets and `serveBytes` reads. */
export const GRANT_COOKIE = 'lixue_grant';
/** A device cookie of ours has 43 characters; a longer one is not read. */
const LONGEST_DEVICE = 100;

interface Surroundings {
  clock: () => number;
  findSession: FindSession;
  mayOpenPack: MayOpenPack;
  /** The host people reach this server by; requests from other origins may not write. */
  publicUrl: string | null;
  /** Milliseconds in which every call is answered; left out: `ANSWER_WITHIN`. */
  answerWithin?: number | undefined;
}

/** A browser gives up after 20 s without an answer: before that it gets one (milliseconds). */
const ANSWER_WITHIN = 15_000;

/** Makes `serve` for one web server. */
export function makeServe(app: FastifyInstance, surroundings: Surroundings): Serve {
  const waiting = new WaitingCalls(app, surroundings.answerWithin ?? ANSWER_WITHIN);
  const turns = new ReadTurns();
  const allAllowances: Allowances[] = [];
  const forgets = setInterval(() => {
    for (const allowances of allAllowances) allowances.forget(performance.now());
  }, FORGET_EVERY).unref();
  app.addHook('onClose', async () => clearInterval(forgets));
  return (call, handler) => {
    const allowances = new Allowances(call.limits);
    allAllowances.push(allowances);
    const giveUp = (reply: FastifyReply) => void sendRefusal(reply, { why: call.kept ? 'cannotSave' : 'databaseAway' });
    const serialize = replyJson(call.data);
    app.route({
      method: call.method,
      url: call.path,
      bodyLimit: call.bodyLimit,
      // HEAD would run the handler too, and some GET change something.
      exposeHeadRoute: false,
      config: { kept: call.kept, form: call.form, gathered: call.gathered },
      ...(call.method === 'POST' ? { onRequest: beforeLarge(call, allowances, surroundings) } : {}),
      schema: call.method === 'GET' ? { querystring: withToken(call.input) } : { body: withToken(call.input) },
      // Returns the text instead of `reply.send()`: the reply itself is a thenable, and awaiting it costs as much as the
      // rest of the framework.
      // A change is under way from here on: its session is looked up in turns of the thread that reads would take.
      handler: (request, reply) =>
        waiting.of(reply, call.inTurn ? answer(request, reply) : turns.change(() => answer(request, reply)), giveUp),
    });

    async function answer(request: FastifyRequest, reply: FastifyReply): Promise<string | Buffer> {
      // Its body had just come, unless it then waited for others. Before it, its session may have been waited for.
      const wholeAt = wholeSince(request) ?? surroundings.clock();
      const arrivedAt = wholeAt - (call.method === 'POST' ? (waitedBefore.get(request) ?? 0) : 0);
      if (call.writes && isCrossSite(request, surroundings.publicUrl)) return refusalText(reply, { why: 'crossSite' });
      if (call.writes && call.method === 'GET' && !isByProgram(request))
        return refusalText(reply, { why: 'notByAddress' });
      const input = (call.method === 'GET' ? request.query : request.body) as { token?: unknown };
      const token = tokenOf(request, input);
      if ('token' in input) delete input.token;
      const user = token === null ? null : await surroundings.findSession(token, arrivedAt);
      if (user !== null) renewName(request, reply, surroundings.publicUrl, arrivedAt);
      if (call.who !== 'visitor' && user === null) return refusalText(reply, { why: 'notSignedIn' });
      if (call.who === 'teacher' && user?.role !== 'teacher') return refusalText(reply, { why: 'notAllowed' });
      if (user === null || entered.has(request)) return answerTo(request, reply, input, user, arrivedAt);
      const entry = allowances.enter(user.userId, lengthOf(request) ?? 0, performance.now());
      if (!entry.ok) return refusalText(retryLater(reply, entry), { why: 'tooMany' });
      try {
        return await answerTo(request, reply, input, user, arrivedAt);
      } finally {
        entry.leave();
      }
    }

    async function answerTo(
      request: FastifyRequest,
      reply: FastifyReply,
      input: object,
      user: SignedIn | null,
      arrivedAt: number,
    ): Promise<string | Buffer> {
      const fault = formFault(call, request, input);
      if (fault) return refusalText(reply, fault);
      if (call.who === 'enrolled' && !call.gathered && user !== null) {
        const access = await surroundings.mayOpenPack(user.userId, (input as { packId: number }).packId);
        if (!access.ok) return refusalText(reply, { why: access.why });
      }
      const asked = new Asked(
        request,
        reply,
        surroundings,
        input as InputOf<typeof call>,
        user as UserOf<typeof call>,
        arrivedAt,
      );
      const said = await (call.inTurn ? turns.of(user?.userId ?? 0, async () => handler(asked)) : handler(asked));
      if (isRefused(said)) return refusalText(reply, said.refused);
      reply.type(JSON_TYPE);
      if (isReadyJson(said) && typeof said.json !== 'string')
        return takesGzip(request) && said.json.some((part) => part instanceof KeptText)
          ? packed(reply, [BEFORE_DATA, ...said.json, AFTER_DATA])
          : bytesOf([BEFORE_DATA, ...said.json, AFTER_DATA]);
      const text = isReadyJson(said)
        ? `{"code":200,"msg":"","data":${said.json}}`
        : serialize({ code: 200, msg: '', data: said });
      return text.length > LONG && takesGzip(request) ? packed(reply, [new KeptText(text)]) : text;
    }
  };
}

/** The input of a call beside the `token` that the spec sends with it, which no handler gets to see. */
const withToken = onceFor((input: Call['input']) => ({ ...input, properties: { ...input.properties, token: {} } }));

/** The serializer of an answer's envelope, by the schema of its data. */
const replyJson = onceFor((data: Call['data']) =>
  jsonOf<{ code: number; msg: string; data: unknown }>({
    type: 'object',
    properties: { code: { type: 'integer' }, msg: { type: 'string' }, data },
    required: ['code', 'msg', 'data'],
  } as never),
);

/** Bodies that may be larger than this are read only for people who are signed in (bytes). */
const ASKS_FIRST = 512 * 1024;

/** How long a request has waited for its session before its body was read: no part of its way here (milliseconds). */
const waitedBefore = new WeakMap<FastifyRequest, number>();

/** Bodies up to this are parsed in no time, and counted afterwards (bytes). */
const SOON_PARSED = 16 * 1024;
/** How often people who have used nothing for a while are forgotten (milliseconds). */
const FORGET_EVERY = 60_000;

/** Requests that were counted before their body was read. */
const entered = new WeakSet<FastifyRequest>();

const lengthOf = ({ headers }: FastifyRequest) =>
  headers['content-length'] === undefined ? null : Number(headers['content-length']);

/** Says when it is worth trying again. */
function retryLater(reply: FastifyReply, { retryAfter }: Extract<Entry, { ok: false }>): FastifyReply {
  return Number.isFinite(retryAfter) ? reply.header('retry-after', retryAfter) : reply;
}

/**
 * Counts a larger body before it is read and parsed, and refuses a large one of nobody there. One that names its `token`
 * inside has to be small.
 */
function beforeLarge(call: Call, allowances: Allowances, { clock, findSession }: Surroundings): onRequestHookHandler {
  const asksFirst = call.bodyLimit > ASKS_FIRST;
  return (request, reply, done) => {
    const length = lengthOf(request) ?? call.bodyLimit;
    if (length <= SOON_PARSED) return done();
    const token = tokenOf(request, null);
    if (token === null && (!asksFirst || length <= SMALL_BODY)) return done();
    const arrivedAt = clock();
    const decide = (user: SignedIn | null) => {
      if (user === null) return asksFirst ? void sendRefusal(reply, { why: 'notSignedIn' }) : done();
      // Refused unread anyway.
      if (length > call.bodyLimit) return done();
      const entry = allowances.enter(user.userId, length, performance.now());
      if (!entry.ok) return void sendRefusal(retryLater(reply, entry), { why: 'tooMany' });
      entered.add(request);
      reply.raw.once('close', entry.leave);
      waitedBefore.set(request, clock() - arrivedAt);
      done();
    };
    if (token === null) return decide(null);
    findSession(token, arrivedAt).then(decide).catch(done);
  };
}

/** What a handler is told of one request. A class, because an object with its own getters is slow to make. */
class Asked<I, U> implements Ask<I, U> {
  readonly input: I;
  readonly user: U;
  readonly arrivedAt: number;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #surroundings: Surroundings;

  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    surroundings: Surroundings,
    input: I,
    user: U,
    arrivedAt: number,
  ) {
    this.input = input;
    this.user = user;
    this.arrivedAt = arrivedAt;
    this.#request = request;
    this.#reply = reply;
    this.#surroundings = surroundings;
  }

  /** Found out when asked for: behind proxies it takes a look at the headers. */
  get ip(): string {
    return this.#request.ip;
  }

  get userAgent(): string {
    return this.#request.headers['user-agent'] ?? '';
  }

  get isMeant(): boolean {
    return !isCrossSite(this.#request, this.#surroundings.publicUrl) && isByProgram(this.#request);
  }

  get device(): string | null {
    const device = ownCookie(this.#request.headers.cookie, DEVICE_COOKIE);
    return device && device.length <= LONGEST_DEVICE ? device : null;
  }

  get setDevice(): Ask<I, U>['setDevice'] {
    return (device) => setCookie(this.#request, this.#reply, DEVICE_COOKIE, device, this.#surroundings.publicUrl);
  }

  get setSession(): Ask<I, U>['setSession'] {
    return (session) => setCookie(this.#request, this.#reply, SESSION_COOKIE, session, this.#surroundings.publicUrl);
  }

  get setGrant(): Ask<I, U>['setGrant'] {
    return ({ token, expiresAt, path }) => {
      const secure = isSecure(this.#request, this.#surroundings.publicUrl);
      const options = { expires: new Date(expiresAt), secure, path };
      this.#reply.header('set-cookie', writeCookie(pathCookieName(GRANT_COOKIE, secure), token, options));
    };
  }
}

/** What is longer goes compressed, to who takes that (characters): a phone on a slow line waits for it longer than a thread needs to pack it. */
const LONG = 8 * 1024;
const takesGzip = ({ headers }: FastifyRequest) =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(headers['accept-encoding'] ?? '');

/** Threads are at hand in a moment, or a disk holds them all: then it goes as it is (milliseconds). */
const PACKED_WITHIN = 500;

async function packed(reply: FastifyReply, parts: readonly (Buffer | KeptText)[]): Promise<Buffer> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, PACKED_WITHIN, null);
  const body = await Promise.race([gzipOf(parts).catch(() => null), late]);
  clearTimeout(timer);
  // An answer that was given up meanwhile (WaitingCalls) is another one, and not packed.
  if (body === null || reply.sent) return bytesOf(parts);
  reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding');
  return body;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const BEFORE_DATA = Buffer.from('{"code":200,"msg":"","data":');
const AFTER_DATA = Buffer.from('}');

/** The envelope of a refusal. */
export function refusalJson(refusal: Refusal): string {
  const { code, msg } = refusals[refusal.why];
  return JSON.stringify({ code, msg, data: refusal });
}

/** Sets status and type of a refusal and gives its text: the HTTP status equals `code`. */
function refusalText(reply: FastifyReply, refusal: Refusal): string {
  reply.code(refusals[refusal.why].code).type(JSON_TYPE);
  return refusalJson(refusal);
}

/** Answers with a refusal from the catalogue, which nobody keeps: what was to be sent instead might have been for ever. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  return reply.header('cache-control', 'no-store').send(refusalText(reply, refusal));
}

/** The session token: cookie (the web app), then bearer (other clients), then the `token` the spec sends with a call. */
export function tokenOf(request: FastifyRequest, input: unknown): string | null {
  const cookie = ownCookie(request.headers.cookie, SESSION_COOKIE);
  if (cookie) return cookie;
  const header = request.headers.authorization;
  if (header?.startsWith('Bearer ')) return header.slice(7).trim() || null;
  if (typeof input === 'object' && input !== null && 'token' in input && typeof input.token === 'string') {
    return input.token || null;
  }
  return null;
}

/**
 * Whether another site may have started this request (decisions §7). Browsers say so, but on plain http (a school's own
 * network) not when a link of that site opens an address of ours; that asks for a page, which no call is ever asked for
 * by ours. Clients that are no browser say nothing.
 */
export function isCrossSite(request: FastifyRequest, publicUrl: string | null): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site') return true;
  if (site === 'same-origin' || site === 'none') return false;
  const { origin } = request.headers;
  if (origin === undefined) return request.headers.accept?.includes('text/html') ?? false;
  try {
    const { host } = new URL(origin);
    return host !== request.host && (publicUrl === null || host !== new URL(publicUrl).host);
  } catch {
    return true; // "null" and other opaque origins
  }
}

/**
 * Whether a program asked, not the browser by itself: for an address that somebody opened or a page led to, for a picture, a
 * frame or a script of that address, or for a page fetched ahead. Browsers say so over https and on localhost; elsewhere by
 * what they accept: a program asks for data, the browser for a page, a picture or a style. Clients that are no browser say nothing.
 */
function isByProgram({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  if ('sec-purpose' in headers || headers.purpose === 'prefetch') return false;
  const destination = headers['sec-fetch-dest'];
  const mode = headers['sec-fetch-mode'];
  if (destination !== undefined && destination !== 'empty') return false;
  if (mode !== undefined && mode !== 'cors' && mode !== 'same-origin') return false;
  return !/text\/(?:html|css)|image\//i.test(headers.accept ?? '');
}

/** Whether the person came by https, as PUBLIC_URL or a trusted proxy says. */
function isSecure(request: FastifyRequest, publicUrl: string | null): boolean {
  return (publicUrl?.startsWith('https:') ?? false) || request.protocol === 'https';
}

/**
 * Writes a cookie, or takes it away. Wherever the person came by https it goes over https alone and has the prefix
 * `__Host-`, with which a browser takes it from this very host only; one of the plain name is taken away there.
 */
function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  value: { token: string; expiresAt: number } | null,
  publicUrl: string | null,
): void {
  const secure = isSecure(request, publicUrl);
  const expires = new Date(value?.expiresAt ?? 0);
  const own = secure ? `${SECURE_PREFIX}${name}` : name;
  reply.header('set-cookie', writeCookie(own, value?.token ?? null, { expires, secure }));
  if (secure && readCookie(request.headers.cookie, name) !== null) {
    reply.header('set-cookie', writeCookie(name, null, { expires, secure }));
  }
}

/** How long a renewed cookie is kept at most (milliseconds); whether its session lives is said by the server. */
const RENEWED_FOR = 180 * 24 * 60 * 60 * 1000;

/** Gives a session that came over https by a cookie of the plain name, as it was once written, the name it has now. */
function renewName(request: FastifyRequest, reply: FastifyReply, publicUrl: string | null, now: number): void {
  const { cookie } = request.headers;
  if (cookie === undefined || !isSecure(request, publicUrl)) return;
  const token = readCookie(cookie, SESSION_COOKIE);
  if (!token || readCookie(cookie, `${SECURE_PREFIX}${SESSION_COOKIE}`)) return;
  setCookie(request, reply, SESSION_COOKIE, { token, expiresAt: now + RENEWED_FOR }, publicUrl);
}
