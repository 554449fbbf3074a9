import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { SpooledQuestion } from './file-question.ts';

/** Opens a spool. It has every answer key in it, so its name is gone at once: nothing of it outlives the process. */
export async function openSpool(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'lixue-import-'));
  try {
    return await open(join(folder, 'questions.ndjson'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Between checking a file and writing its questions they lie in a temporary file, one line of JSON each: memory does not
 * grow with the file, and nothing is locked before the whole file is known to be good.
 * @returns the line of one question, with its end
 */
export const spoolLine = (question: SpooledQuestion): string =>
  // U+2028 and U+2029 are line ends to the reader of these lines, and none in JSON.
  `${JSON.stringify(question).replace(/[\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16)}`)}\n`;

/** Where the line of one question lies in a spool. */
export interface SpoolPlace {
  /** Of its first byte. */
  at: number;
  bytes: number;
}

/** The questions at some places of a spool, in the order of the places. What lies side by side is read at once. */
export async function readSpoolAt(spool: FileHandle, places: readonly SpoolPlace[]): Promise<SpooledQuestion[]> {
  const questions: SpooledQuestion[] = [];
  for (let from = 0; from < places.length; ) {
    let next = from;
    let end = places[from]?.at ?? 0;
    for (; places[next]?.at === end; next += 1) end += places[next]?.bytes ?? 0;
    const { at = 0 } = places[from] ?? {};
    const { buffer } = await spool.read(Buffer.allocUnsafe(end - at), 0, end - at, at);
    for (const { at: own, bytes } of places.slice(from, next))
      questions.push(JSON.parse(buffer.toString('utf8', own - at, own - at + bytes)) as SpooledQuestion);
    from = next;
  }
  return questions;
}

/** Bytes read from a spool at once. */
const PIECE = 256 * 1024;

async function* pieces(spool: FileHandle): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await spool.read(Buffer.allocUnsafe(PIECE), 0, PIECE, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** The questions of a spool in their order. @param batch how many at once */
export async function* readSpool(spool: FileHandle, batch: number): AsyncGenerator<SpooledQuestion[]> {
  let questions: SpooledQuestion[] = [];
  const input = Readable.from(pieces(spool), { objectMode: false });
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      questions.push(JSON.parse(line) as SpooledQuestion);
      if (questions.length < batch) continue;
      yield questions;
      questions = [];
    }
    if (questions.length > 0) yield questions;
  } finally {
    // Else it would read on from a spool that is closed when the import is stopped.
    input.destroy();
  }
}
