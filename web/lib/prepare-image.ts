import { type ImageOpt, imageOpt, QA_IMAGE } from '#contract/values/image.ts';
import { checkImage, KIND_BYTES, kindOfImage } from '#rules/image/check.ts';
import { beforeSending } from '#rules/image/shrink.ts';
import { drawShrunk } from './shrink-image.ts';
import { msg } from './t.ts';

/** A picture that may be uploaded, or a Chinese sentence (`t`) why it may not. */
type Prepared = { ok: true; file: File } | { ok: false; msg: string };

const sentences = {
  imageFormat: msg('图片格式不正确'),
  avatarTooLarge: msg('上传头像图片大小不能超过 1MB!'),
  imageTooLarge: msg('上传图片大小不能超过 1MB!'),
  qaImageTooLarge: msg('文件太大，请选择小于15MB的图片'),
} as const;
/** As the server says it of what it is sent (`imageTooManyPixels`). */
const tooManyPoints = msg('图片的尺寸太大，请缩小到 2500 万像素以内再上传');
const notProcessed = msg('图片处理失败，请重试');

/** Pictures by their names, for browsers that say no type: of HEIC many do not. */
const PICTURE_NAME = /\.(?:jpe?g|png|gif|webp|bmp|avif|hei[cf]|tiff?)$/i;

/**
 * Looks at what a person chose, by its bytes, and makes a picture for Q&A smaller where the spec says so (§5). The server looks again.
 * @param signal ends it early; it then fails with the signal's reason
 */
export async function prepareImage(opt: ImageOpt, file: File, signal: AbortSignal): Promise<Prepared> {
  const refused = (why: keyof typeof sentences) => ({ ok: false, msg: sentences[why] }) as const;
  try {
    const kind = kindOfImage(new Uint8Array(await file.slice(0, KIND_BYTES).arrayBuffer()));
    const { size } = file;
    if (opt !== imageOpt.qa) {
      const checked = checkImage(opt, { size, kind });
      return checked.ok ? { ok: true, file } : refused(checked.why);
    }
    if (kind === null && !file.type.startsWith('image/') && !PICTURE_NAME.test(file.name))
      return refused('imageFormat');
    if (size > QA_IMAGE) return refused('qaImageTooLarge');
    const what = beforeSending({ size, kind, points: await pointsOf(file) });
    if (what === 'refuse') return { ok: false, msg: tooManyPoints };
    if (what === 'send') return { ok: true, file };
    return { ok: true, file: new File([await shrink(file, signal)], file.name, { type: 'image/jpeg' }) };
  } catch (error) {
    if (signal.aborted) throw error;
    // A picture that this browser cannot read, or a file that is gone since it was chosen.
    return { ok: false, msg: notProcessed };
  }
}

/** How many points a picture has, by its head alone: nothing of it is decoded. Null: the browser cannot read it. */
async function pointsOf(file: File): Promise<number | null> {
  const address = URL.createObjectURL(file);
  const image = new Image();
  try {
    return await new Promise((resolve) => {
      image.onload = () => resolve(image.naturalWidth * image.naturalHeight);
      image.onerror = () => resolve(null);
      image.src = address;
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

function shrink(file: File, signal: AbortSignal): Promise<Blob> {
  if (typeof OffscreenCanvas === 'undefined') {
    return drawShrunk(file, (width, height) => Object.assign(document.createElement('canvas'), { width, height }));
  }
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./shrink-image.worker.ts', import.meta.url), { type: 'module' });
    const end = (settle: () => void) => {
      worker.terminate();
      signal.removeEventListener('abort', stop);
      settle();
    };
    const stop = () => end(() => reject(signal.reason));
    signal.addEventListener('abort', stop, { once: true });
    worker.onmessage = ({ data }: MessageEvent<Blob | null>) =>
      end(() => (data === null ? reject(new Error('not drawn')) : resolve(data)));
    worker.onerror = () => end(() => reject(new Error('no worker')));
    worker.postMessage(file);
  });
}
