import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { FileQuestion } from './file-question.ts';

/**
 * Between checking a file and writing its questions they lie in a temporary file, one line of JSON each: memory does not
 * grow with the file, and nothing is locked before the whole file is known to be good.
 * @returns the line of one question, with its end
 */
export const spoolLine = (question: FileQuestion): string =>
  // U+2028 and U+2029 are line ends to the reader of these lines, and none in JSON.
  `${JSON.stringify(question).replace(/[\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16)}`)}\n`;

/** The questions of a spool in their order. @param batch how many at once */
export async function* readSpool(path: string, batch: number): AsyncGenerator<FileQuestion[]> {
  let questions: FileQuestion[] = [];
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    questions.push(JSON.parse(line) as FileQuestion);
    if (questions.length < batch) continue;
    yield questions;
    questions = [];
  }
  if (questions.length > 0) yield questions;
}
