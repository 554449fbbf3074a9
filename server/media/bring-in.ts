import { createReadStream } from 'node:fs';
import type { Db } from '#server/db/open.ts';
import type { Files } from '#server/files.ts';
import { addJob } from '#server/job/store.ts';
import { readContainer } from './probe.ts';
import { addMedia, markWaiting, type StoredMedia } from './store.ts';

/** The job that makes a source playable. */
export const TRANSCODE = 'media.transcode';

/** What its job needs to know. */
export interface TranscodeInput {
  mediaId: number;
}

/** The longest name that is kept of a file. */
const LONGEST_TITLE = 200;

/**
 * Brings in a file of this machine: stored, noted, its conversion asked for. The same bytes brought in again, under
 * whatever name, are the same video, and are converted again only if that failed.
 * @throws JobRefused with a sentence when it is no film and no sound
 */
export async function bringIn(
  { db, files }: { db: Db; files: Files },
  { path, title, progress }: { path: string; title: string; progress?: (done: number) => void },
  now: number,
): Promise<Pick<StoredMedia, 'id' | 'state'> & { known: boolean }> {
  const { extension } = await readContainer(path);
  let done = 0;
  async function* read() {
    for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
      done += (piece as Buffer).length;
      progress?.(done);
      yield piece as Buffer;
    }
  }
  const { name, size } = await files.putStream(read(), extension);
  return db.transaction(async (trx) => {
    const source = { source: name, bytes: size, title: title.normalize('NFC').slice(0, LONGEST_TITLE) };
    const media = await addMedia(trx, source, now);
    if (media.known && media.state !== 'failed') return media;
    await askForTranscode(trx, media.id, now);
    return { ...media, state: 'waiting' };
  });
}

/** Asks for the conversion of a source, for the first time or again. */
export async function askForTranscode(trx: Parameters<typeof addJob>[0], mediaId: number, now: number): Promise<void> {
  await markWaiting(trx, mediaId);
  await addJob(trx, { kind: TRANSCODE, key: String(mediaId), input: { mediaId } satisfies TranscodeInput }, now);
}
