import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PART } from '#rules/live/part-name.ts';
import { isStreamName } from '#rules/live/stream-key.ts';
import { hashing } from './stored-files.ts';

/** One part of a recording, as a backup has it. */
export interface RecordedPart {
  /** The folder of its stream, and its file. */
  name: string;
  size: number;
  /** SHA-256 of these bytes, in hex. */
  hash: string;
}

const PIECE = 1024 * 1024;

/** Whether this is the name of a part, and of nothing else on a disk. */
export function isPartName(name: string): boolean {
  const [stream = '', part = '', ...more] = name.split('/');
  return more.length === 0 && isStreamName(stream) && PART.test(part);
}

/** Parts that were opened: they can be read also when they are removed meanwhile, and grow only at their end. */
export interface OpenRecordings {
  /** How long each is now, and the sum of that. What is added later is left out. */
  measure(signal: AbortSignal): Promise<RecordedPart[]>;
  /** The first bytes of one, as many as were measured. */
  bytesOf(part: RecordedPart): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Opens what was recorded of lessons whose replay is not made yet.
 * @param folder where recordings are, a folder for each stream
 */
export async function openRecordings(folder: string): Promise<OpenRecordings> {
  const opened = new Map<string, FileHandle>();
  const close = async () => {
    for (const file of opened.values()) await file.close();
  };
  try {
    for (const name of await recordedNames(folder)) {
      const file = await open(join(folder, name)).catch(noneIfGone);
      if (file) opened.set(name, file);
    }
  } catch (error) {
    await close();
    throw error;
  }
  const bytesOf = ({ name, size }: Pick<RecordedPart, 'name' | 'size'>) => firstBytes(opened.get(name), size);
  return {
    measure: async (signal) => {
      const parts: RecordedPart[] = [];
      for (const [name, file] of opened) {
        signal.throwIfAborted();
        const { size } = await file.stat();
        const read = hashing(bytesOf({ name, size }));
        for await (const _ of read.body) signal.throwIfAborted();
        parts.push({ name, size, hash: read.hash() });
      }
      return parts;
    },
    bytesOf,
    close,
  };
}

/** The names of the parts in a folder of recordings, sorted. */
export async function recordedNames(folder: string): Promise<string[]> {
  const names: string[] = [];
  for (const stream of await namesIn(folder))
    for (const part of await namesIn(join(folder, stream))) names.push(`${stream}/${part}`);
  return names.filter(isPartName).sort();
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(noneIfGone)) ?? [];
}

function noneIfGone(error: unknown): null {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw error;
}

async function* firstBytes(file: FileHandle | undefined, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, size - at));
    const { bytesRead = 0 } = (await file?.read(piece, 0, piece.length, at)) ?? {};
    if (bytesRead === 0) return;
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}
