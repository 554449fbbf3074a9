import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Db, Query, Trx } from '#server/db/open.ts';
import { type Files, nameOfHash } from '#server/files.ts';
import { addJob } from '#server/job/store.ts';
import { readContainer } from './probe.ts';
import { addMedia, findSource, markWaiting, type StoredMedia } from './store.ts';

/** The job that makes a source playable. */
export const TRANSCODE = 'media.transcode';

/** What its job needs to know. */
export interface TranscodeInput {
  mediaId: number;
}

/** The longest name that is kept of a file. */
const LONGEST_TITLE = 200;

/** A file that is stored, and what it is called. */
export interface StoredSource {
  source: string;
  bytes: number;
  title: string;
  /** The teacher who uploaded it; null: nobody did. */
  broughtBy: number | null;
}

interface BringIn {
  path: string;
  title: string;
  /** Told how many bytes were read. */
  progress?: ((done: number) => void) | undefined;
}

/** What is kept of the name of a file. */
export const titleOf = (name: string): string => name.normalize('NFC').slice(0, LONGEST_TITLE);

const PIECE = 1024 * 1024;

/** Reads a file through. A link is not followed: in a stranger's folder it could lead to any file of the machine. */
async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  yield* file.createReadStream({ highWaterMark: PIECE }) as AsyncIterable<Buffer>;
}

/**
 * Stores a film or sound of this machine without holding it in memory. What is here already is read and found to be the same, and
 * not written again.
 * @throws JobRefused with a sentence when it is no film and no sound
 */
export async function storeSource(
  { query, files }: { query: Query; files: Files },
  { path, title, progress }: BringIn,
): Promise<StoredSource> {
  const { extension } = await readContainer(path);
  const called = { title: titleOf(title), broughtBy: null };
  const hash = createHash('sha256');
  let done = 0;
  for await (const piece of piecesOf(path)) {
    hash.update(piece);
    done += piece.length;
    progress?.(done / 2);
  }
  const known = nameOfHash(hash.digest('hex'), extension);
  const there = (await findSource(query, known)) && (await files.find(known));
  if (there) return { source: known, bytes: there.size, ...called };
  async function* read() {
    for await (const piece of piecesOf(path)) {
      done += piece.length;
      progress?.(done / 2);
      yield piece;
    }
  }
  const { name, size } = await files.putStream(read(), extension);
  return { source: name, bytes: size, ...called };
}

/** What stands of media that was brought in; `asked`: its conversion was asked for now. */
type BroughtIn = Pick<StoredMedia, 'id' | 'state' | 'duration_ms'> & { asked: boolean };

/** Notes a stored source. The same bytes, under whatever name, are the same media, and are converted again only if that failed. */
export async function addSource(trx: Trx, source: StoredSource, now: number): Promise<BroughtIn> {
  const { known, ...media } = await addMedia(trx, source, now);
  if (known && media.state !== 'failed') return { ...media, asked: false };
  await askForTranscode(trx, media.id, now);
  return { ...media, state: 'waiting', asked: true };
}

/**
 * Brings in a file of this machine: stored, noted, its conversion asked for.
 * @throws JobRefused with a sentence when it is no film and no sound
 */
export async function bringIn({ db, files }: { db: Db; files: Files }, file: BringIn, now: number): Promise<BroughtIn> {
  const source = await storeSource({ query: db.query, files }, file);
  return db.transaction((trx) => addSource(trx, source, now));
}

/** Asks for the conversion of a source, for the first time or again. */
export async function askForTranscode(trx: Trx, mediaId: number, now: number): Promise<void> {
  await markWaiting(trx, mediaId);
  await addJob(trx, { kind: TRANSCODE, key: String(mediaId), input: { mediaId } satisfies TranscodeInput }, now);
}
