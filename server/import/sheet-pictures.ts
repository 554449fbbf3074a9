import { illustrated, withAddresses } from '#content/pack/picture-addresses.ts';
import { questionKey } from '#content/question/content-key.ts';
import type { CheckedRow, FileQuestion } from '#content/question/file-question.ts';
import { fileAddress } from '#rules/rich-text/file-address.ts';
import type { ShownFile } from '#server/course/files-store.ts';
import type { Files } from '#server/files.ts';

/**
 * Stores the pictures of a spreadsheet as its rows come, each once. Like those of packs they are named by their content.
 * @param shown gets the stored pictures, to be noted with their pack
 */
export function storedPictures(
  files: Files,
  shown: Map<string, ShownFile>,
): { stored(row: Extract<CheckedRow, { ok: true }>): Promise<FileQuestion> } {
  const addresses = new Map<string, string>();
  return {
    async stored({ question, pictures }) {
      for (const { name, bytes, extension } of pictures) {
        const stored = await files.put(bytes, extension);
        addresses.set(name, fileAddress(stored));
        shown.set(stored, { open: 0, title: `图片.${extension}` });
      }
      if (addresses.size === 0) return question;
      const shows = { ...illustrated(question, addresses), material: withAddresses(question.material, addresses) };
      // By what is stored, so that the same file finds it again (question-identity.ts).
      return { ...shows, key: questionKey(shows.type, shows.topic, shows.options, shows.material) };
    },
  };
}
