/** One picture of a form on its way to the server. */
export interface ImageUpload {
  key: number;
  /** The name of its file, for who cannot see it. */
  name: string;
  /** Where the page shows it from; '' while it is not known whether the browser can. */
  preview: string;
  /** `reading`: looked at and made smaller · `sending` · `done` · `failed`: may be tried again or removed. */
  phase: 'reading' | 'sending' | 'done' | 'failed';
  /** Of the bytes, 0 to 1. */
  share: number;
  /** What names it in the call that uses it; '' until it is done. */
  fileName: string;
  /** Why it failed, in Chinese. */
  msg: string;
}

/** The pictures of a form, and why the last choice was refused (in Chinese; '' when it was not). */
interface ImageUploads {
  images: readonly ImageUpload[];
  fault: string;
}

export type ImageEvent =
  | { type: 'chosen'; images: readonly { key: number; name: string }[] }
  | { type: 'restored'; images: readonly { key: number; fileName: string; preview: string }[] }
  | { type: 'refused'; key: number | null; msg: string }
  | { type: 'sending'; key: number; preview: string }
  | { type: 'moved'; key: number; share: number }
  | { type: 'done'; key: number; fileName: string }
  | { type: 'failed'; key: number; msg: string }
  | { type: 'retried'; key: number }
  | { type: 'removed'; key: number }
  | { type: 'cleared' };

export const noImages: ImageUploads = { images: [], fault: '' };

/** What happens to the pictures of a form. What comes late about one that was removed changes nothing. */
export function imageUploads(state: ImageUploads, event: ImageEvent): ImageUploads {
  const fresh = { preview: '', share: 0, fileName: '', msg: '' };
  const change = (key: number, to: Partial<ImageUpload>) => ({
    ...state,
    images: state.images.map((image) => (image.key === key ? { ...image, ...to } : image)),
  });
  const without = (key: number | null) => state.images.filter((image) => image.key !== key);
  switch (event.type) {
    case 'chosen':
      return {
        images: [...state.images, ...event.images.map((image) => ({ ...fresh, ...image, phase: 'reading' as const }))],
        fault: '',
      };
    case 'restored':
      return {
        images: event.images.map((image) => ({ ...fresh, name: '', ...image, share: 1, phase: 'done' as const })),
        fault: '',
      };
    case 'refused':
      return { images: without(event.key), fault: event.msg };
    case 'sending':
      return change(event.key, { phase: 'sending', preview: event.preview, share: 0 });
    case 'moved':
      return change(event.key, { share: event.share });
    case 'done':
      return change(event.key, { phase: 'done', share: 1, fileName: event.fileName });
    case 'failed':
      return change(event.key, { phase: 'failed', msg: event.msg });
    case 'retried':
      return { ...change(event.key, { phase: 'sending', share: 0, msg: '' }), fault: '' };
    case 'removed':
      return { images: without(event.key), fault: '' };
    case 'cleared':
      return noImages;
  }
}

/**
 * Whether text is what is wanted of what is pasted: a table of a spreadsheet comes as text and as a picture of it. Files that were copied in a window of files
 * come with their names as text.
 */
export function isTextPasted(said: string, files: readonly { name: string }[]): boolean {
  const lines = said.split(/[\r\n]+/).filter((line) => line !== '');
  return !lines.every((line) => files.some(({ name }) => line === name || line.endsWith(`/${name}`)));
}
