import { MOST_IMAGES } from '#contract/values/image.ts';

/** A picture of a draft: what names it, and where it is shown from (`filePath` of its upload). */
export interface KeptImage {
  fileName: string;
  preview: string;
}

/** Words and pictures that somebody has begun to send. */
export interface Begun {
  text: string;
  images: readonly KeptImage[];
}

export const nothingBegun: Begun = { text: '', images: [] };

const isImage = (image: unknown): image is KeptImage =>
  typeof image === 'object' &&
  image !== null &&
  ['fileName', 'preview'].every((field) => typeof (image as Record<string, unknown>)[field] === 'string');

/** What of a kept draft is words and pictures; null: it is not one. @param longest characters of its field */
export function begunFrom(kept: object, longest: number): Begun | null {
  const { text, images } = kept as Record<string, unknown>;
  if (typeof text !== 'string') return null;
  return {
    text: [...text].slice(0, longest).join(''),
    images: Array.isArray(images) ? images.filter(isImage).slice(0, MOST_IMAGES) : [],
  };
}

/** As a draft is kept; null: nothing is begun. */
export const orNothing = <Draft extends Begun>(draft: Draft): Draft | null =>
  draft.text === '' && draft.images.length === 0 ? null : draft;
