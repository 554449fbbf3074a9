import { safeSvg } from './svg.ts';

/** A picture of a pack, checked. */
export interface Media {
  /** As texts name it: `media/name.svg`. */
  name: string;
  extension: string;
  bytes: Uint8Array;
}

/** The largest picture, in bytes (docs/guide/content-pack.md). */
export const LARGEST_MEDIA = 2 * 1024 * 1024;

const startsWith = (bytes: Uint8Array, start: readonly number[], at = 0) =>
  start.every((byte, index) => bytes[at + index] === byte);

const KINDS: Readonly<Record<string, (bytes: Uint8Array) => boolean>> = {
  png: (bytes) => startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  jpg: (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff]),
  webp: (bytes) => startsWith(bytes, [0x52, 0x49, 0x46, 0x46]) && startsWith(bytes, [0x57, 0x45, 0x42, 0x50], 8),
};

/**
 * Checks a picture by its bytes, not its name, and takes out of an SVG what could run or load.
 * @returns the picture to store, or a sentence in Chinese
 */
export function checkMedia(fileName: string, bytes: Uint8Array): Media | string {
  const extension = /\.([a-zA-Z]+)$/.exec(fileName)?.[1]?.toLowerCase().replace('jpeg', 'jpg') ?? '';
  const name = `media/${fileName}`;
  if (!/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}$/.test(fileName)) return '文件名只能用英文字母、数字、点、连字符和下划线';
  if (bytes.byteLength > LARGEST_MEDIA) return `图片太大（${(bytes.byteLength / 1048576).toFixed(1)} MB），最大 2 MB`;
  if (extension === 'svg') {
    const drawing = safeSvg(new TextDecoder().decode(bytes));
    return drawing === null ? '不是 SVG 图片' : { name, extension, bytes: new TextEncoder().encode(drawing) };
  }
  const isKind = Object.hasOwn(KINDS, extension) ? KINDS[extension] : undefined;
  if (!isKind) return '不支持的图片格式，可用 svg、png、jpg、webp';
  return isKind(bytes) ? { name, extension, bytes } : `内容不是 ${extension} 图片`;
}
