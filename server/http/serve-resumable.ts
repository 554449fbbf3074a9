import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusals } from '#contract/envelope.ts';
import type { Resumable } from '#contract/resumable.ts';
import {
  type Checksum,
  checksumAlgorithms,
  readBytes,
  readChecksum,
  readMetadata,
  TUS_EXTENSIONS,
  TUS_VERSION,
} from '#rules/upload/tus.ts';
import { Allowances } from './allowances.ts';
import { isRefused, type Refused, refuse, type SignedIn } from './answer.ts';
import { type FindSession, isCrossSite, sendRefusal, tokenOf } from './serve.ts';

/** Where an upload stands. */
interface Standing {
  /** Bytes that are safely here. */
  received: number;
  /** Bytes it will have. */
  bytes: number;
  /** When it is given up if nothing more comes; null: it is whole. */
  expiresAt: number | null;
}

/** Who sends, and when. */
interface Sender {
  user: SignedIn;
  now: number;
}

/** One piece of a file on its way. */
export interface Piece {
  /** Where it begins. */
  offset: number;
  /** Its bytes as they come; ends with an error when the line breaks. */
  body: AsyncIterable<Uint8Array>;
  /** What it has to be; without it, what came of a piece that broke off is kept. */
  checksum: Checksum | null;
  /** Ends the line it comes by: `body` then ends with an error. */
  cut(): void;
}

/** What keeps uploads: `address` is the part of the URL that names one. */
export interface UploadKeeper {
  largest: number;
  begin(
    sender: Sender,
    wanted: { bytes: number; metadata: ReadonlyMap<string, string> },
  ): Promise<{ address: string; expiresAt: number } | Refused>;
  find(sender: Sender, address: string): Promise<Standing | Refused>;
  write(sender: Sender, address: string, piece: Piece): Promise<Standing | Refused>;
  end(sender: Sender, address: string): Promise<Refused | null>;
}

/** Binds declared uploads to what keeps them; the only way to a route that takes bodies of any size. */
export type ServeResumable = (declared: Resumable, keeper: UploadKeeper) => void;

/** How often people who have used nothing for a while are forgotten (milliseconds). */
const FORGET_EVERY = 60_000;
const PIECE_TYPE = 'application/offset+octet-stream';

/**
 * Makes `serveResumable` for a scope of its own, in which no body is read by the framework: pieces go to the keeper as they come, and
 * a body of any other kind is left unread. Who asks is settled before the first byte (decisions §7).
 */
export function makeServeResumable(
  scope: FastifyInstance,
  { clock, findSession, publicUrl }: { clock: () => number; findSession: FindSession; publicUrl: string | null },
): ServeResumable {
  const all: Allowances[] = [];
  const forgets = setInterval(() => {
    for (const allowances of all) allowances.forget(performance.now());
  }, FORGET_EVERY).unref();
  scope.addHook('onClose', async () => clearInterval(forgets));
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));

  return (declared, keeper) => {
    const allowances = new Allowances({ ...declared.limits, bytesPerMinute: Number.POSITIVE_INFINITY });
    all.push(allowances);

    /** Lets a request in as a call is let in, and answers what is refused. */
    async function enter(
      request: FastifyRequest,
      reply: FastifyReply,
      work: (sender: Sender) => Promise<Refused | null>,
    ): Promise<FastifyReply> {
      const now = clock();
      reply.headers({ 'tus-resumable': TUS_VERSION, 'cache-control': 'no-store' });
      if (request.headers['tus-resumable'] !== TUS_VERSION) {
        reply.header('tus-version', TUS_VERSION);
        return refused(request, reply, refuse('uploadProtocol'));
      }
      if (isCrossSite(request, publicUrl)) return refused(request, reply, refuse('crossSite'));
      const token = tokenOf(request, null);
      const user = token === null ? null : await findSession(token, now);
      if (user === null) return refused(request, reply, refuse('notSignedIn'));
      if (user.role !== declared.who) return refused(request, reply, refuse('notAllowed'));
      const entry = allowances.enter(user.userId, 0, performance.now());
      if (!entry.ok) return refused(request, reply.header('retry-after', entry.retryAfter), refuse('tooMany'));
      try {
        const said = await work({ user, now });
        return said ? refused(request, reply, said) : await reply.send();
      } finally {
        entry.leave();
      }
    }

    const says = (reply: FastifyReply, { received, bytes, expiresAt }: Standing) => {
      reply.headers({ 'upload-offset': received, 'upload-length': bytes });
      if (expiresAt !== null) reply.header('upload-expires', new Date(expiresAt).toUTCString());
    };
    const addressOf = (request: FastifyRequest) => (request.params as { address: string }).address;

    scope.options(declared.path, async (_request, reply) => {
      reply.code(204).headers({
        ...{ 'tus-resumable': TUS_VERSION, 'tus-version': TUS_VERSION, 'tus-extension': TUS_EXTENSIONS },
        ...{ 'tus-max-size': keeper.largest, 'tus-checksum-algorithm': checksumAlgorithms.join(',') },
      });
      return reply.send();
    });

    scope.post(declared.path, (request, reply) =>
      enter(request, reply, async (sender) => {
        const bytes = readBytes(request.headers['upload-length']);
        const metadata = readMetadata(request.headers['upload-metadata']);
        if (bytes === null || metadata === null) return refuse('badInput');
        const begun = await keeper.begin(sender, { bytes, metadata });
        if (isRefused(begun)) return begun;
        reply.code(201).headers({
          location: `${declared.path}/${begun.address}`,
          'upload-expires': new Date(begun.expiresAt).toUTCString(),
        });
        return null;
      }),
    );

    const one = {
      head: async (request: FastifyRequest, reply: FastifyReply, sender: Sender) => {
        const found = await keeper.find(sender, addressOf(request));
        if (isRefused(found)) return found;
        says(reply.code(200), found);
        return null;
      },
      patch: async (request: FastifyRequest, reply: FastifyReply, sender: Sender) => {
        const { headers } = request;
        if (headers['content-type'] !== PIECE_TYPE) return refuse('wrongType');
        const offset = readBytes(headers['upload-offset']);
        const checksum = readChecksum(headers['upload-checksum']);
        if (offset === null || checksum === 'wrong') return refuse('badInput');
        // Left in the middle, a stream would take the connection along, and the answer with it.
        const body = request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
        const piece = { offset, body, checksum, cut: () => void request.raw.destroy() };
        const written = await keeper.write(sender, addressOf(request), piece);
        if (isRefused(written)) return written;
        says(reply.code(204), written);
        return null;
      },
      delete: async (request: FastifyRequest, reply: FastifyReply, sender: Sender) => {
        reply.code(204);
        return keeper.end(sender, addressOf(request));
      },
    };

    const route = `${declared.path}/:address`;
    for (const method of ['HEAD', 'PATCH', 'DELETE'] as const)
      scope.route({
        method,
        url: route,
        handler: (request, reply) =>
          enter(request, reply, (sender) => one[method.toLowerCase() as keyof typeof one](request, reply, sender)),
      });
    // For proxies that let nothing but GET and POST pass (tus 1.0 "X-HTTP-Method-Override").
    scope.post(route, (request, reply) => {
      const meant = String(request.headers['x-http-method-override'] ?? '').toLowerCase();
      const work = meant === 'patch' || meant === 'delete' ? one[meant] : async () => refuse('badInput');
      return enter(request, reply, (sender) => work(request, reply, sender));
    });
  };
}

/** A body of a refused request is read to its end up to so many bytes: a browser reads no answer before it has sent all. */
const READ_ON = 16 * 1024 * 1024;

/** Answers what is refused. Who sends gigabytes in one piece is cut off with the answer. */
function refused(request: FastifyRequest, reply: FastifyReply, { refused }: Refused): FastifyReply {
  if ((readBytes(request.headers['content-length']) ?? (hasBody(request) ? Infinity : 0)) > READ_ON)
    reply.header('connection', 'close');
  else request.raw.resume();
  if (request.method !== 'HEAD') return sendRefusal(reply, refused);
  // A HEAD has no body to say it in.
  return reply.code(refusals[refused.why].code).header('cache-control', 'no-store').send();
}

const hasBody = ({ headers }: FastifyRequest) => 'transfer-encoding' in headers || 'content-length' in headers;
