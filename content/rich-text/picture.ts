import type { Metadata, Sharp } from 'sharp';
import { MOST_POINTS } from '#contract/values/image.ts';

/** Frames of an animation. */
const MOST_FRAMES = 100;
/** Of JPEG and lossy WebP, 1 to 100: a difference that nobody sees. */
const QUALITY = 90;

/** Formats of pictures made of points, by the endings of their files. */
export type Pixels = 'png' | 'jpg' | 'webp' | 'gif';

/** Why a picture cannot be taken: for the program, and in a Chinese sentence. */
type PictureFault = 'otherKind' | 'tooManyPixels' | 'broken';
export type Redrawn = { ok: true; value: Uint8Array } | { ok: false; fault: PictureFault; why: string };

/** How a WebP without loss begins its frames. */
const LOSSLESS = Buffer.from('VP8L');

function encoded(picture: Sharp, kind: Pixels, bytes: Uint8Array, head: Metadata): Sharp {
  switch (kind) {
    case 'png':
      // A picture of few colours stays one, and keeps every one of them.
      return head.isPalette
        ? picture.png({ palette: true, quality: 100, dither: 0, compressionLevel: 9 })
        : picture.png({ compressionLevel: 9 });
    case 'jpg':
      return picture.jpeg({
        quality: QUALITY,
        chromaSubsampling: head.chromaSubsampling === '4:4:4' ? '4:4:4' : '4:2:0',
      });
    case 'webp':
      return picture.webp({ quality: QUALITY, lossless: Buffer.from(bytes).subarray(0, 4096).includes(LOSSLESS) });
    case 'gif':
      return picture.gif();
  }
}

/** Width and height of a picture that `redrawn` has written, in pixels. */
export async function sizeOf(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  const { default: sharp } = await import('sharp');
  const { width, height, pageHeight } = await sharp(bytes, { limitInputPixels: MOST_POINTS }).metadata();
  return { width, height: pageHeight ?? height };
}

/**
 * Reads a picture and writes it anew (docs/decisions/019-foreign-files.md): what is stored is a picture and nothing else, without
 * place, camera and thumbnail, and upright. How large it is is read from its beginning; too large, it is not decoded.
 * The same bytes give the same bytes.
 * @param square the side in pixels to which its middle is cut and, where it is larger, brought down; left out: it stays whole
 * @returns the new picture, or a sentence in Chinese
 */
export async function redrawn(kind: Pixels, bytes: Uint8Array, square?: number): Promise<Redrawn> {
  // Loaded with the first picture: 18 MB that a server without pictures need not hold.
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const no = (fault: PictureFault, why: string) => ({ ok: false, fault, why }) as const;
  try {
    const head = await sharp(bytes, { limitInputPixels: false }).metadata();
    const { width, height, pages = 1, format } = head;
    if (format !== (kind === 'jpg' ? 'jpeg' : kind)) return no('otherKind', `内容不是 ${kind} 图片`);
    if (pages > MOST_FRAMES) return no('tooManyPixels', `动图有 ${pages} 帧，最多 ${MOST_FRAMES} 帧`);
    if (width * height * pages > MOST_POINTS) {
      const size = `${width}×${height}${pages > 1 ? `，${pages} 帧` : ''}`;
      return no('tooManyPixels', `图片尺寸太大（${size}），最多 ${MOST_POINTS / 10_000} 万像素`);
    }
    const moves = pages > 1;
    const picture = sharp(bytes, { limitInputPixels: MOST_POINTS, animated: moves });
    const upright = moves ? picture : picture.autoOrient();
    const side = square === undefined ? 0 : Math.min(square, width, height);
    const cut = side === 0 ? upright : upright.resize(side, side, { fit: 'cover' });
    return { ok: true, value: await encoded(cut, kind, bytes, head).toBuffer() };
  } catch {
    // Whatever the library says of it, in English and in its own terms.
    return no('broken', '图片已损坏，无法读取');
  }
}

/** How a picture is tried that has to become small, from the best: points of its width, quality. Twice the width of a phone's page, where it may be. */
const SMALLER = [
  [720, 60],
  [720, 40],
  [600, 35],
] as const;

/**
 * A picture that stands still as a WebP of at most so many bytes, as wide as a phone shows it.
 * @returns with its width in pixels and that of the whole; null: it does not become so small, moves, or cannot be read
 */
export async function madeSmall(
  bytes: Uint8Array,
  most: number,
): Promise<{ bytes: Uint8Array; width: number; whole: number } | null> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  try {
    const { width: whole, pages = 1 } = await sharp(bytes, { limitInputPixels: MOST_POINTS }).metadata();
    if (pages > 1) return null;
    for (const [width, quality] of SMALLER) {
      const small = sharp(bytes, { limitInputPixels: MOST_POINTS }).resize(width, null, { withoutEnlargement: true });
      const { data, info } = await small.webp({ quality, effort: 6 }).toBuffer({ resolveWithObject: true });
      if (data.length <= most) return { bytes: data, width: info.width, whole };
    }
    return null;
  } catch {
    return null;
  }
}
