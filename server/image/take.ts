import type { ImageOpt } from '#contract/values/image.ts';
import { fileAddress } from '#rules/rich-text/file-address.ts';
import type { Query, Trx } from '#server/db/open.ts';
import { deleteTaken, markTaken, readImages } from './store.ts';

/** A picture that was named is not to be had: thrown, so that the transaction of the feature takes nothing. Answered with `imageNotYours`. */
export class ImageNotYours extends Error {}

/** How `fileName` of an upload looks; nothing else is looked for. */
const NAME = /^[0-9a-f]{32}\.(?:jpg|png)$/;

interface Taking {
  userId: number;
  /** What they must have been uploaded for. */
  opt: ImageOpt;
  /** The `fileName` of uploads, in their order. */
  fileNames: readonly string[];
  /** What uses them, named once and for all: `feedback:12`. It is how a repeated call finds what it has done. */
  takenFor: string;
}

/**
 * Gives a feature the pictures that a person names, in the transaction that stores what they belong to. From then on they are no longer
 * the uploads of a person: the feature keeps the names of the stored files in a table of its own, and its `FileOwner` says who sees them.
 * Each has to be this person's own upload, for this purpose, and unused; taken twice for the same thing it is given again.
 * How many there may be is for the feature's contract to say.
 * @returns the stored files (server/files.ts; `fileAddress` makes addresses of them), in the order of the names
 * @throws ImageNotYours
 */
export async function takeImages(trx: Trx, { userId, opt, fileNames, takenFor }: Taking): Promise<string[]> {
  const files: string[] = [];
  if (new Set(fileNames).size !== fileNames.length || !fileNames.every((name) => NAME.test(name)))
    throw new ImageNotYours();
  // In the same order everywhere, so that two of one person's calls with the same pictures do not wait for each other.
  for (const fileName of [...fileNames].sort()) {
    const file = (await markTaken(trx, { userId, opt, fileName, takenFor })) ?? (await given(trx, fileName));
    files[fileNames.indexOf(fileName)] = file;
  }
  return files;

  async function given(query: Query, fileName: string): Promise<string> {
    const [image] = await readImages(query, userId, [fileName]);
    if (image?.opt !== opt || image.taken_for !== takenFor) throw new ImageNotYours();
    return image.file;
  }
}

/**
 * What has taken all of these pictures of this person already, as it was named then (`feedback:12`): a call whose answer was lost is sent
 * again. Null: they are not all taken by one thing.
 */
export async function takenFor(query: Query, userId: number, fileNames: readonly string[]): Promise<string | null> {
  if (fileNames.length === 0 || !fileNames.every((name) => NAME.test(name))) return null;
  const images = await readImages(query, userId, fileNames);
  const [first] = images;
  const all = images.length === fileNames.length && images.every((image) => image.taken_for === first?.taken_for);
  return all ? (first?.taken_for ?? null) : null;
}

/**
 * Gives up what a thing has taken, because it is no more or has others now. The stored files are deleted once nobody owns them.
 * @param but the `fileName` of those it keeps
 */
export async function releaseImages(trx: Trx, takenFor: string, but: readonly string[] = []): Promise<void> {
  await deleteTaken(trx, takenFor, but);
}

/** The pictures that a call names, in their order (contract `sentImages`); a field that is empty names none. */
export function namedImages(input: { feedbackImg?: string; feedbackImg1?: string; feedbackImg2?: string }): string[] {
  return [input.feedbackImg, input.feedbackImg1, input.feedbackImg2].filter(
    (name) => name !== undefined && name !== '',
  ) as string[];
}

/** The addresses of a thing's pictures as they are read back (contract `shownImages`). */
export function shownAddresses(
  files: readonly string[] = [],
): Record<'feedbackImg' | 'feedbackImg2' | 'feedbackImg3', string> {
  const [feedbackImg = '', feedbackImg2 = '', feedbackImg3 = ''] = files.map(fileAddress);
  return { feedbackImg, feedbackImg2, feedbackImg3 };
}
