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
