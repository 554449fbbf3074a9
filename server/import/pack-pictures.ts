import type { CheckedPack } from '#content/pack/pack.ts';
import { withPictureAddresses } from '#content/pack/picture-addresses.ts';
import { fileAddress } from '#rules/rich-text/file-address.ts';
import type { FileOpen } from '#server/course/files-store.ts';
import { type Files, fileNamesIn } from '#server/files.ts';

/**
 * Stores the pictures of a pack. Files are named by their content, so one stored before a transaction that fails is
 * harmless and found again later. @returns the pack with the addresses of its pictures in its texts
 */
export async function storePictures(files: Files, pack: CheckedPack): Promise<CheckedPack> {
  const addresses = new Map<string, string>();
  for (const { name, bytes, extension } of pack.media) {
    addresses.set(name, fileAddress(await files.put(bytes, extension)));
  }
  return withPictureAddresses(pack, addresses);
}

/** The stored files that the texts of a pack show: those of its description everybody may see who is signed in. */
export function picturesShown(pack: CheckedPack): Map<string, FileOpen> {
  const shown = new Map<string, FileOpen>();
  const note = (text: string, open: FileOpen) => {
    for (const name of fileNamesIn(text)) shown.set(name, open);
  };
  for (const { text } of pack.cases) note(text, 0);
  for (const { topic, options, rightAnswer, analysis } of pack.questions) {
    for (const text of [topic, ...Object.values(options), rightAnswer, analysis]) note(text, 0);
  }
  note(pack.description, 1);
  return shown;
}
