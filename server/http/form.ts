import { Busboy } from '@fastify/busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Call, FormFile, type SentFile } from '#contract/call.ts';
import type { Refusal } from '#contract/envelope.ts';

/** The body of a call that takes a file (contract `form`). */
export const FORM_TYPE = 'multipart/form-data';

/** More than any form of ours has; the body as a whole is bounded by its call. */
const LIMITS = { parts: 8, files: 1, fields: 7, fieldNameSize: 50, fieldSize: 1000, headerPairs: 20, headerSize: 4096 };
/** Characters of a file's name that are kept: it is shown, never used as a path. */
const LONGEST_NAME = 200;

/** The sender's fault: answered as bad input. */
const badForm = () => Object.assign(new Error('not a form'), { statusCode: 400 });
const wrongType = () => Object.assign(new Error('not of this call'), { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' });

/**
 * Reads the bodies of calls that take a form, and holds that they and no others do: a form is what a page of another site can send
 * without asking first. The body is read whole, which its call's limit allows, and only for people who are signed in.
 */
export function readForms(app: FastifyInstance): void {
  app.addContentTypeParser(FORM_TYPE, { parseAs: 'buffer' }, (request, body, done) => {
    if (!request.routeOptions.config.form) return done(wrongType());
    fieldsOf(request.headers['content-type'] ?? '', body as Buffer).then((fields) => done(null, fields), done);
  });
}

/** What is wrong with the input of a call that takes a form: it came as something else, or a file of it is none. */
export function formFault(call: Call, { headers }: FastifyRequest, input: object): Refusal | null {
  if (!call.form) return null;
  if (!headers['content-type']?.toLowerCase().startsWith(FORM_TYPE)) return { why: 'wrongType' };
  for (const [name, schema] of Object.entries(call.input.properties)) {
    if (schema !== FormFile) continue;
    const sent = (input as Record<string, unknown>)[name];
    const isFile = typeof sent === 'object' && sent !== null && 'bytes' in sent && sent.bytes instanceof Uint8Array;
    if (!isFile) return { why: 'badInput', field: name };
  }
  return null;
}

/** The fields of a form by name: texts, and files as `SentFile`. One that comes twice is no field of ours. */
function fieldsOf(contentType: string, body: Buffer): Promise<Record<string, string | SentFile>> {
  return new Promise((resolve, reject) => {
    const fields: Record<string, string | SentFile> = Object.create(null);
    const fail = () => reject(badForm());
    const put = (name: string, value: string | SentFile) => {
      if (name in fields) fail();
      else fields[name] = value;
    };
    try {
      const reader = new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS });
      reader.on('field', (name, value, nameCut, valueCut) => (nameCut || valueCut ? fail() : put(name, value)));
      reader.on('file', (name, stream, fileName) => {
        const pieces: Buffer[] = [];
        stream.on('data', (piece: Buffer) => pieces.push(piece));
        stream.on('error', fail);
        stream.on('end', () =>
          put(name, { name: String(fileName ?? '').slice(0, LONGEST_NAME), bytes: Buffer.concat(pieces) }),
        );
      });
      for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) reader.on(limit, fail);
      reader.on('error', fail);
      reader.on('finish', () => resolve({ ...fields }));
      reader.end(body);
    } catch {
      fail();
    }
  });
}
