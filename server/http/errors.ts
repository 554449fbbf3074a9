import type { FastifyError, FastifyInstance } from 'fastify';
import type { Why } from '#contract/envelope.ts';
import type { Trouble } from '#server/db/trouble.ts';
import type { Troubles } from '#server/db/troubles.ts';
import { sendRefusal } from './serve.ts';

/** Refusals for what the web framework itself finds wrong with a request. */
const byCode: Record<string, Why> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'tooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'wrongType',
};

/** Refusals for what a request for a part of a file, or for one in a certain state, may ask in vain (RFC 9110). */
const byStatus: Record<number, Why> = {
  412: 'notAsExpected',
  416: 'noSuchRange',
};

/** Troubles that are over in a moment, and of one record or statement: nothing is wrong with the database. */
const passing: ReadonlySet<Trouble> = new Set<Trouble>(['race', 'held', 'slow', 'crowd']);

/**
 * One place turns every error into an envelope. What a request did wrong gets its 4xx and sentence; what we did wrong
 * gets 500, a line in the log with the stack, and a sentence that says nothing of our insides. A database in trouble is
 * nobody's fault: 503, and a line a second.
 */
export function answerErrors(app: FastifyInstance, troubles: Troubles): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error.validation) {
      const first = error.validation[0];
      const missing = first?.params.missingProperty;
      const path = first?.instancePath.split('/').slice(1) ?? [];
      const field = typeof missing === 'string' ? missing : path.join('.');
      const at = path.find((part) => /^\d+$/.test(part));
      return sendRefusal(reply, {
        why: 'badInput',
        ...(field === '' ? {} : { field }),
        ...(at === undefined ? {} : { at: Number(at) }),
      });
    }
    const why = byCode[error.code] ?? byStatus[error.statusCode ?? 0];
    // A refused range comes with the file's size, as Content-Range.
    const { headers } = error as { headers?: Record<string, string> };
    if (headers) reply.headers(headers);
    if (why) return sendRefusal(reply, { why });
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
      return sendRefusal(reply, { why: 'badInput' });
    }
    const call = `${request.method} ${request.routeOptions.url ?? ''}`;
    const trouble = troubles.note(error, call, (line) => request.log.error(line, 'the database is in trouble'));
    if (trouble !== null) {
      const { kept } = request.routeOptions.config;
      return sendRefusal(reply, { why: passing.has(trouble) ? 'busy' : kept ? 'cannotSave' : 'databaseAway' });
    }
    request.log.error({ err: error, call }, 'call failed');
    return sendRefusal(reply, { why: 'broken' });
  });
}
