import { basename } from 'node:path';
import type { CheckedPack } from '#content/pack/pack.ts';
import { withPictureAddresses } from '#content/pack/picture-addresses.ts';
import { fileAddress } from '#rules/rich-text/file-address.ts';
import type { ShownFile } from '#server/course/files-store.ts';
import { type Files, fileNamesIn } from '#server/files.ts';

/**
 * Stores the pictures of a pack. Files are named by their content, so one stored before a transaction that fails is
 * harmless and found again later.
 * @returns the pack with the addresses of its pictures in its texts, and what its author calls each stored file
 */
export async function storePictures(
  files: Files,
  pack: CheckedPack,
): Promise<{ pack: CheckedPack; titles: ReadonlyMap<string, string> }> {
  const addresses = new Map<string, string>();
  const titles = new Map<string, string>();
  for (const { name, bytes, extension } of pack.media) {
    const stored = await files.put(bytes, extension);
    addresses.set(name, fileAddress(stored));
    titles.set(stored, `${basename(name).replace(/\.[^.]*$/, '')}.${extension}`);
  }
  return { pack: withPictureAddresses(pack, addresses), titles };
}

/**
 * The stored files that the texts of a pack show, those of its description to everybody. Only its own pictures: a text
 * that merely writes the address of another pack's file makes nobody a reader of it.
 * @param titles of its own stored pictures
 */
export function picturesShown(pack: CheckedPack, titles: ReadonlyMap<string, string>): Map<string, ShownFile> {
  const shown = new Map<string, ShownFile>();
  const note = (text: string, open: 0 | 1) => {
    for (const name of fileNamesIn(text)) {
      const title = titles.get(name);
      if (title !== undefined) shown.set(name, { open: shown.get(name)?.open === 1 ? 1 : open, title });
    }
  };
  for (const { text } of pack.cases) note(text, 0);
  for (const { topic, options, rightAnswer, analysis, points } of pack.questions) {
    const ofPoints = points.map(({ text }) => text);
    for (const text of [topic, ...Object.values(options), rightAnswer, analysis, ...ofPoints]) note(text, 0);
  }
  // Visitors read trial lessons too.
  for (const { profile, text, poster, trial } of pack.lessons)
    for (const part of [profile, text, poster]) note(part, trial ? 1 : 0);
  for (const { picture } of pack.teachers) note(picture, 1);
  note(pack.description, 1);
  return shown;
}
