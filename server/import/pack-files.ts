import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type PackFile, slidesPath } from '#content/pack/course-files.ts';
import type { CheckedPack } from '#content/pack/pack.ts';
import { findPackId } from '#server/course/pack-store.ts';
import type { Db, Trx } from '#server/db/open.ts';
import { slidesAddress } from '#server/file/course-file.ts';
import { type FileChanges, readStoredNames, syncCourseFiles, type WantedFile } from '#server/file/file-sync-store.ts';
import { type Files, nameOfHash } from '#server/files.ts';
import { setSlides } from '#server/play/lesson-store.ts';

/** Read from the disk at once, in bytes. */
const PIECE = 1024 * 1024;

/** Reads a file of the pack's folder piece by piece. What has become a link since it was checked is not followed. */
async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    yield* file.createReadStream({ highWaterMark: PIECE, autoClose: false });
  } finally {
    await file.close();
  }
}

/**
 * Stores the files of a pack, one after the other and piece by piece, so that their size does not matter. Like its pictures they are
 * named by their content, so what a failed import leaves behind is harmless. What stands in the store already is read, not written.
 */
export async function storePackFiles(
  { db, files }: { db: Db; files: Files },
  folder: string,
  pack: Pick<CheckedPack, 'slug' | 'files'>,
): Promise<WantedFile[]> {
  const packId = await findPackId(db.query, pack.slug);
  const known = packId === null ? new Map<string, string>() : await readStoredNames(db.query, packId);
  const wanted: WantedFile[] = [];
  for (const file of pack.files) {
    const { name, size } =
      (await sameAsKnown(files, folder, file, known.get(file.path))) ??
      (await files.putStream(piecesOf(join(folder, file.source)), file.extension));
    wanted.push({ ...{ path: file.path, stored: name, bytes: size }, fileGroup: file.fileGroup, slides: file.slides });
  }
  return wanted;
}

/** What is stored of a file already, if its bytes are the same and are there; null: it has to be stored. */
async function sameAsKnown(
  files: Files,
  folder: string,
  { source, extension }: PackFile,
  known: string | undefined,
): Promise<{ name: string; size: number } | null> {
  const found = known === undefined ? null : await files.find(known);
  if (known === undefined || !found) return null;
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of piecesOf(join(folder, source))) {
    hash.update(piece);
    size += piece.byteLength;
  }
  return nameOfHash(hash.digest('hex'), extension) === known && size === found.size ? { name: known, size } : null;
}

/** Notes what the files of a pack are, and which lessons have which slides. @returns what changed; slides count as files */
export async function writePackFiles(
  trx: Trx,
  packId: number,
  wanted: readonly WantedFile[],
  { lessons, now }: { lessons: CheckedPack['lessons']; now: number },
): Promise<FileChanges & { different: boolean }> {
  const { slideIds, ...changes } = await syncCourseFiles(trx, packId, wanted, now);
  const addresses = new Map<string, string>();
  for (const { slides } of lessons) {
    const id = slides === '' ? undefined : slideIds.get(slidesPath(slides));
    if (id !== undefined) addresses.set(slides, slidesAddress(id));
  }
  const linked = await setSlides(trx, packId, addresses);
  return { ...changes, different: linked || changes.added + changes.changed + changes.archived > 0 };
}
