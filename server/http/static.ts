import { join } from 'node:path';
import helmet from '@fastify/helmet';
import staticFiles from '@fastify/static';
import { create } from 'content-disposition';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Asked, Drawing } from '#contract/drawing.ts';
import type { Site } from '#contract/site.ts';
import { FILE_NAME } from '#rules/rich-text/file-address.ts';
import type { FileOwner, FileSight, Files } from '#server/files.ts';
import type { SignedIn } from './answer.ts';
import { DrawnPages } from './drawn-pages.ts';
import { FirstPictures } from './first-pictures.ts';
import { pageAt } from './page-addresses.ts';
import { EARLY_SOURCE, Packed, PageDocument, sourceOf } from './page-document.ts';
import { sendStored } from './send-file.ts';
import { sendRefusal, tokenOf } from './serve.ts';

/** Only the file that is named: no file beginning with a dot, no folder and no index page in its place. */
const ONLY_THE_FILE = { dotfiles: 'ignore', index: false } as const;

/**
 * What a worker may do, which a browser reads from the answer that brought its script and not from the page: as the page, and decode
 * pictures of a PDF with WebAssembly. Nothing evaluates text.
 */
const WORKERS = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'";

/** What a browser may show in its place; anything else is saved. No PDF: its viewer does not run in the sandbox below. */
const SHOWN_IN_PLACE = /\.(?:svg|png|jpg|webp|gif|mp4|m3u8|mp3)$/;

/**
 * What the answer for a file says beside its bytes. What everybody may see never changes under its name, so it is kept for
 * a year; what is somebody's is asked for again each time, because the person at this browser, or what they may see, may
 * have changed since. Its bytes are then only sent again if they are others (ETag).
 */
const headersOf = (name: string, { forEverybody, title }: FileSight) => ({
  'cache-control': forEverybody ? 'public, max-age=31536000, immutable' : 'private, no-cache',
  'content-disposition': create(title === '' ? undefined : title, {
    type: SHOWN_IN_PLACE.test(name) ? 'inline' : 'attachment',
  }),
  // An SVG opened by its address must not run anything.
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
});

/** How a person may see a file: as everybody, if any owner says so. */
async function sightOf(owners: readonly FileOwner[], name: string, person: SignedIn | null): Promise<FileSight | null> {
  let sight: FileSight | null = null;
  for (const owner of owners) {
    const seen = await owner.sightOf(name, person);
    if (seen?.forEverybody) return seen;
    sight ??= seen;
  }
  return sight;
}

/**
 * Serves stored files to people who may see them, whole or in parts (Range, ETag, If-Range, HEAD: RFC 9110), without
 * holding them in memory. A file that a person may not see, one that belongs to nothing and one that does not exist are
 * answered alike, so nobody can find out by its hash whether the school has a file. Names are hashes of the bytes, so a
 * file never changes.
 */
export function serveFiles(
  app: FastifyInstance,
  files: Files,
  whoAsks: (token: string | null) => Promise<SignedIn | null>,
  owners: readonly FileOwner[],
): void {
  // Gives replies their `sendFile` and serves nothing by itself.
  app.register(staticFiles, { serve: false });
  app.get('/files/*', async (request, reply) => {
    const name = (request.params as { '*': string })['*'];
    if (!FILE_NAME.test(name)) return sendRefusal(reply, { why: 'notFound' });
    const sight = await sightOf(owners, name, await whoAsks(tokenOf(request, null)));
    const file = sight && (await files.find(name));
    if (!file) return sendRefusal(reply, { why: 'notFound' });
    return sendStored(request, reply, { name, file, headers: headersOf(name, sight) });
  });
}

/** Bytes of a stored picture that may be read as a whole. */
const MOST_READ = 5 * 1024 * 1024;

/** The bytes of a stored file that everybody may see, by its address; null: there is none, or it is long. */
export const bytesForEverybody =
  (files: Files, owners: readonly FileOwner[]) =>
  async (address: string): Promise<Uint8Array | null> => {
    const name = address.startsWith('/files/') ? address.slice('/files/'.length) : '';
    if (!FILE_NAME.test(name) || !(await sightOf(owners, name, null))?.forEverybody) return null;
    const file = await files.find(name);
    return file && file.size <= MOST_READ ? Buffer.concat(await (await file.read()).toArray()) : null;
  };

/**
 * Serves the built web app: hashed assets for ever (ready-made brotli or gzip where the client takes it), and one HTML
 * document, with what the school says of itself and the code that each page needs, for every page; drawn, where there is a program
 * that draws. At an address that nothing has, a person gets the same
 * document with status 404, in which the app says so; a program gets the not-found envelope.
 */
export async function serveWeb(
  app: FastifyInstance,
  folder: string | null,
  { site, sources = {}, drawing, clock, bytesOf, onFailure }: PagesWith,
): Promise<void> {
  const document = folder === null ? null : new PageDocument(folder, site);
  const plain = new Map<string | null, Packed>();
  const plainOf = (from: PageDocument, page: string | null): Packed => {
    const packed = plain.get(page) ?? new Packed(from.plain(page));
    plain.set(page, packed);
    return packed;
  };
  const drawn =
    document &&
    drawing &&
    new DrawnPages({
      ...{ drawing, document, site, clock, onFailure },
      pictures: new FirstPictures(bytesOf),
      ask: (asked) => askAsVisitor(app, asked),
    });
  if (folder) {
    await app.register(async (scope) => {
      await scope.register(staticFiles, {
        root: join(folder, 'assets'),
        prefix: '/assets/',
        ...ONLY_THE_FILE,
        preCompressed: true,
        immutable: true,
        maxAge: '365d',
        decorateReply: false,
        setHeaders: (reply) => reply.header('content-security-policy', WORKERS),
      });
    });
  }
  await app.register(async (scope) => {
    await siteHeaders(scope, {
      ...sources,
      scriptSrc: [EARLY_SOURCE, ...(drawing?.scripts ?? []).map(sourceOf), ...(sources.scriptSrc ?? [])],
    });
    scope.get('/*', async (request, reply) => {
      const [path = '/', query] = request.url.split('?');
      const page = pageAt(path);
      if (document === null || !(page !== null || isOpenedByPerson(request)))
        return sendRefusal(reply, { why: 'notFound' });
      const { cookie } = request.headers;
      const isPlain = query === undefined && tokenOf(request, null) === null;
      const packed = (page !== null && (await drawn?.of({ path, page, cookie, isPlain }))) || plainOf(document, page);
      const { encoding, body } = await packed.for(request.headers['accept-encoding']);
      if (encoding !== null) reply.header('content-encoding', encoding);
      reply
        .code(page === null ? 404 : 200)
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-cache')
        .header('vary', 'cookie, accept-encoding');
      return reply.send(body);
    });
    if (folder) {
      for (const name of ['favicon.svg', 'manifest.webmanifest']) {
        scope.get(`/${name}`, (_request, reply) => reply.sendFile(name, folder, { ...ONLY_THE_FILE, maxAge: '1h' }));
      }
    }
  });
  app.setNotFoundHandler((_request, reply) => sendRefusal(reply, { why: 'notFound' }));
}

/** What pages are made with. */
interface PagesWith {
  site: Site;
  sources?: PageSources;
  /** null: no page is drawn. */
  drawing: Drawing | null;
  clock: () => number;
  /** What everybody may see at an address of this site; null: nothing. */
  bytesOf(address: string): Promise<Uint8Array | null>;
  /** A drawing failed. */
  onFailure(error: unknown): void;
}

/** What pages may load from elsewhere beside their own, by the directive of their policy. */
type PageSources = Partial<Record<'scriptSrc' | 'styleSrc' | 'imgSrc' | 'connectSrc' | 'fontSrc', readonly string[]>>;

/** What pages may load, and the one other address that they may tell what happened on the course play page. */
export const withCollector = (sources: PageSources | undefined, { collector }: Site): PageSources =>
  collector === null ? { ...sources } : { ...sources, connectSrc: [...(sources?.connectSrc ?? []), collector] };

/** The headers of every page, for the routes of one scope: what may run, be loaded and frame it. */
export async function siteHeaders(scope: FastifyInstance, sources: PageSources = {}): Promise<void> {
  const { scriptSrc = [], styleSrc = [], imgSrc = [], connectSrc = [], fontSrc = [] } = sources;
  await scope.register(helmet, {
    // It would have the browser throw away the process that it holds ready and begin another for the first page: docs/decisions/056.
    crossOriginOpenerPolicy: false,
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...scriptSrc],
        styleSrc: ["'self'", "'unsafe-inline'", ...styleSrc],
        imgSrc: ["'self'", 'data:', 'blob:', ...imgSrc],
        // Covers WebSockets of the own origin too.
        connectSrc: ["'self'", ...connectSrc],
        // A film is put together in the page (Media Source Extensions).
        mediaSrc: ["'self'", 'blob:'],
        fontSrc: ["'self'", 'data:', ...fontSrc],
        objectSrc: ["'none'"],
        frameAncestors: ["'self'"],
        // The school decides about https at its proxy; a demo on http://localhost must work.
        upgradeInsecureRequests: null,
      },
    },
    strictTransportSecurity: false,
  });
}

/** What a visitor's browser would get. @throws for everything but an answer */
async function askAsVisitor(app: FastifyInstance, { name, input }: Asked): Promise<unknown> {
  const [, url = ''] = name.split(' ');
  const query = Object.fromEntries(Object.entries(input).map(([field, value]) => [field, String(value)]));
  const { statusCode, payload } = await app.inject({ method: 'GET', url, query });
  if (statusCode !== 200) throw new Error(`${name} was answered with ${statusCode}`);
  return (JSON.parse(payload) as { data: unknown }).data;
}

/** Whether a browser opens an address to show it: only then it asks for HTML, never for a call, a script or a picture. */
const isOpenedByPerson = ({ headers }: FastifyRequest) => headers.accept?.includes('text/html') ?? false;
