import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import helmet from '@fastify/helmet';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Site } from '#contract/site.ts';
import { isPage } from '#rules/site/pages.ts';
import { FILE_NAME, type Files, fileAddress } from '#server/files.ts';
import type { SignedIn } from './answer.ts';
import { sendRefusal, tokenOf } from './serve.ts';

const TYPES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  svg: 'image/svg+xml',
};

/** Who may see which stored files. */
export interface FileAccess {
  /** Files that visitors may see too, by their address: the marks of universities. */
  openToAll(address: string): Promise<boolean>;
  /** Whether someone signed in may see a file, by its name. */
  maySeeFile(user: SignedIn, name: string): Promise<boolean>;
}

/** Serves stored files to people who may see them. Their names are hashes of their bytes, so they never change. */
export function serveFiles(
  app: FastifyInstance,
  files: Files,
  whoAsks: (token: string | null) => Promise<SignedIn | null>,
  { openToAll, maySeeFile }: FileAccess,
): void {
  app.get('/files/*', async (request, reply) => {
    const name = (request.params as { '*': string })['*'];
    if (!FILE_NAME.test(name)) return sendRefusal(reply, { why: 'notFound' });
    const open = await openToAll(fileAddress(name));
    if (!open) {
      const user = await whoAsks(tokenOf(request, null));
      if (user === null) return sendRefusal(reply, { why: 'notSignedIn' });
      if (!(await maySeeFile(user, name))) return sendRefusal(reply, { why: 'notEnrolled' });
    }
    const file = await files.open(name);
    if (!file) return sendRefusal(reply, { why: 'notFound' });
    return (
      reply
        .type(TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream')
        .header('content-length', file.size)
        .header('cache-control', `${open ? 'public' : 'private'}, max-age=31536000, immutable`)
        // An SVG opened by its address must not run anything.
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox")
        .send(file.stream)
    );
  });
}

/**
 * Serves the built web app: hashed assets for ever (ready-made brotli or gzip where the client takes it), and one HTML
 * document, with what the school says of itself, for every page. At an address that nothing has, a person gets the same
 * document with status 404, in which the app says so; a program gets the not-found envelope.
 */
export async function serveWeb(app: FastifyInstance, folder: string | null, site: Site): Promise<void> {
  const page = folder ? withSite(readFileSync(join(folder, 'index.html'), 'utf8'), site) : null;
  if (folder) {
    await app.register(async (scope) => {
      await scope.register(staticFiles, {
        root: join(folder, 'assets'),
        prefix: '/assets/',
        preCompressed: true,
        immutable: true,
        maxAge: '365d',
        decorateReply: false,
      });
    });
  }
  await app.register(async (scope) => {
    await scope.register(helmet, {
      contentSecurityPolicy: {
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:', 'blob:'],
          // Covers WebSockets of the own origin too.
          connectSrc: ["'self'"],
          fontSrc: ["'self'", 'data:'],
          objectSrc: ["'none'"],
          frameAncestors: ["'self'"],
          // The school decides about https at its proxy; a demo on http://localhost must work.
          upgradeInsecureRequests: null,
        },
      },
      strictTransportSecurity: false,
    });
    scope.get('/*', (request, reply) => {
      const known = isPage(request.url.split('?')[0] ?? '/');
      if (page === null || !(known || isOpenedByPerson(request))) return sendRefusal(reply, { why: 'notFound' });
      reply
        .code(known ? 200 : 404)
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-cache');
      return reply.send(page);
    });
    if (folder) {
      for (const name of ['favicon.svg', 'manifest.webmanifest']) {
        scope.get(`/${name}`, async (_request, reply) => {
          try {
            const bytes = readFileSync(join(folder, name));
            return reply
              .type(name.endsWith('.svg') ? 'image/svg+xml' : 'application/manifest+json')
              .header('cache-control', 'max-age=3600')
              .send(bytes);
          } catch {
            return sendRefusal(reply, { why: 'notFound' });
          }
        });
      }
    }
  });
  app.setNotFoundHandler((_request, reply) => sendRefusal(reply, { why: 'notFound' }));
}

/** The page with the site as data, which no browser runs; `<` is written so that no text of a setting ends the element. */
function withSite(page: string, site: Site): string {
  const json = JSON.stringify(site).replaceAll('<', '\\u003c');
  return page.replace('</head>', () => `<script type="application/json" data-site>${json}</script></head>`);
}

/** Whether a browser opens an address to show it: only then it asks for HTML, never for a call, a script or a picture. */
const isOpenedByPerson = ({ headers }: FastifyRequest) => headers.accept?.includes('text/html') ?? false;
