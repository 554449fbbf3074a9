import { type Pixels, redrawn } from './picture.ts';
import { safeSvg } from './svg.ts';

/** A picture of a pack, checked. */
export interface Media {
  /** As texts name it: `media/name.svg`. */
  name: string;
  extension: string;
  bytes: Uint8Array;
}

/** The largest picture, in bytes (docs/guide/content-pack.md): more is not read. */
export const LARGEST_MEDIA = 2 * 1024 * 1024;

const startsWith = (bytes: Uint8Array, start: readonly number[], at = 0) =>
  start.every((byte, index) => bytes[at + index] === byte);

const KINDS: Readonly<Record<Pixels, (bytes: Uint8Array) => boolean>> = {
  png: (bytes) => startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  jpg: (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff]),
  webp: (bytes) => startsWith(bytes, [0x52, 0x49, 0x46, 0x46]) && startsWith(bytes, [0x57, 0x45, 0x42, 0x50], 8),
  gif: (bytes) => startsWith(bytes, [0x47, 0x49, 0x46, 0x38]),
};

/** Of which format a picture is by its bytes; null: of none that a page shows. */
export const pixelsOf = (bytes: Uint8Array): Pixels | null =>
  (Object.keys(KINDS) as Pixels[]).find((kind) => KINDS[kind](bytes)) ?? null;

const isPixels = (extension: string): extension is Pixels => Object.hasOwn(KINDS, extension);

/**
 * Checks a picture by its bytes, not its name, and writes it anew: a picture of points without what it says of its maker,
 * a drawing (SVG) without what could run or load.
 * @returns the picture to store, or a sentence in Chinese
 */
export async function checkMedia(fileName: string, bytes: Uint8Array): Promise<Media | string> {
  const extension = /\.([a-zA-Z]+)$/.exec(fileName)?.[1]?.toLowerCase().replace('jpeg', 'jpg') ?? '';
  const name = `media/${fileName}`;
  if (!/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}$/.test(fileName)) return '文件名只能用英文字母、数字、点、连字符和下划线';
  if (extension === 'svg') {
    const drawing = safeSvg(new TextDecoder().decode(bytes));
    return drawing.ok ? { name, extension, bytes: new TextEncoder().encode(drawing.value) } : drawing.why;
  }
  if (!isPixels(extension)) return '不支持的图片格式，可用 svg、png、jpg、webp、gif';
  if (!KINDS[extension](bytes)) return `内容不是 ${extension} 图片`;
  const picture = await redrawn(extension, bytes);
  return picture.ok ? { name, extension, bytes: picture.value } : picture.why;
}
