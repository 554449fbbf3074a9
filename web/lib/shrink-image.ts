import { SHRUNK_QUALITY } from '#contract/values/image.ts';
import { shrunkSize } from '#rules/image/shrink.ts';

type Canvas = OffscreenCanvas | HTMLCanvasElement;

/** Draws a picture smaller, upright, and gives it as a JPEG. Runs in the worker and, where browsers have no canvas there, in the page. */
export async function drawShrunk(
  file: Blob,
  makeCanvas: (width: number, height: number) => Canvas = (width, height) => new OffscreenCanvas(width, height),
): Promise<Blob> {
  // As the camera held it: what is drawn has no EXIF that could turn it again.
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  try {
    const { width, height } = shrunkSize(picture.width, picture.height);
    const canvas = makeCanvas(width, height);
    const pen = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D | null;
    if (pen === null) throw new Error('no canvas');
    // A JPEG has no transparency, and would show it black.
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, width, height);
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(picture, 0, 0, width, height);
    return await asJpeg(canvas);
  } finally {
    picture.close();
  }
}

async function asJpeg(canvas: Canvas): Promise<Blob> {
  const jpeg = { type: 'image/jpeg', quality: SHRUNK_QUALITY };
  if ('convertToBlob' in canvas) return canvas.convertToBlob(jpeg);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, jpeg.type, jpeg.quality));
  if (blob === null) throw new Error('the picture cannot be written');
  return blob;
}
