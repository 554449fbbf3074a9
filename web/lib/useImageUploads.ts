import { type ClipboardEvent, type DragEvent, useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { type ImageOpt, MOST_IMAGES } from '#contract/values/image.ts';
import { forgetUnsent, unsentPictures } from './drafts.ts';
import { type ImageUpload, imageUploads, isTextPasted, noImages } from './image-uploads.ts';
import type { KeptImage } from './picture-draft.ts';
import { prepareImage } from './prepare-image.ts';
import { sendFile } from './send.ts';
import { msg } from './t.ts';
import { uploadFailure } from './upload-failure.ts';

const tooMany = msg('最多上传 3 张图片');

/** The pictures of a form, for `ImagePicker` and for the form itself. */
export interface FormImages {
  images: readonly ImageUpload[];
  /** Why the last choice was refused, in Chinese; '' when it was not. */
  fault: string;
  /** Some are on their way: the form waits before it sends. */
  busy: boolean;
  /** Some failed: they are sent again or removed before the form is sent. */
  failed: boolean;
  /** The form is on its way with them: none comes or goes. */
  still: boolean;
  /** What names the uploaded ones, in their order: feedbackImg, feedbackImg1, feedbackImg2 of a call. */
  fields: { feedbackImg?: string; feedbackImg1?: string; feedbackImg2?: string };
  /** The uploaded ones, for a draft that outlives the page; they are the server's for a day. */
  kept: readonly KeptImage[];
  choose(files: Iterable<File>): void;
  remove(key: number): void;
  retry(key: number): void;
  /** Takes all of them away: after the form was sent. */
  clear(): void;
  /** For the element of the form: pictures may be pasted and dropped anywhere on it. `data-dropping` while one hangs over it. */
  areaProps: {
    onPaste(event: ClipboardEvent): void;
    onDragOver(event: DragEvent): void;
    onDragLeave(event: DragEvent): void;
    onDrop(event: DragEvent): void;
    'data-dropping': true | undefined;
  };
}

/** A picture that is under way, or may be sent again. */
interface Work {
  stop: AbortController;
  file: File;
  preview: string;
  /** What names it among those that have not arrived (draft-disk.ts); null: it is none of them. */
  kept: Promise<number | null>;
}

let lastKey = 0;

/**
 * Up to three pictures of a form (spec §2 Image upload widget, §5): checked, made smaller where Q&A asks for it, uploaded as soon as they are
 * chosen, each by itself. What has not arrived stays in this browser as it was chosen, and goes on its way again when the form is opened again.
 * @param opt what they are for: it decides kinds and sizes
 * @param draft those of a draft that is opened again, whose it is and its place (`useDraft`)
 * @param still whether the form is on its way: one that came now would not go with it, and be taken away with those that did
 */
export function useImageUploads(
  opt: ImageOpt,
  { images: draft, owner, place }: { images: readonly KeptImage[]; owner: number; place: string },
  still: boolean,
): FormImages {
  const [state, tell] = useReducer(imageUploads, draft, (kept) =>
    imageUploads(noImages, {
      type: 'restored',
      images: kept.map((image) => {
        lastKey += 1;
        return { key: lastKey, ...image };
      }),
    }),
  );
  const [dropping, setDropping] = useState(false);
  /** What is under way, and what may be sent again, by key. */
  const work = useRef(new Map<number, Work>());
  /** Some could not be kept here: leaving the page while they are on their way would lose them. */
  const [unkept, setUnkept] = useState(false);
  const { images } = state;
  const count = useRef(images.length);
  count.current = images.length;

  const forget = useCallback((key: number) => {
    const known = work.current.get(key);
    known?.stop.abort();
    if (known?.preview) URL.revokeObjectURL(known.preview);
    work.current.delete(key);
    return known;
  }, []);
  const discard = useCallback((key: number) => letGo(forget(key)), [forget]);
  useEffect(() => {
    const all = work.current;
    return () => {
      for (const key of [...all.keys()]) forget(key);
    };
  }, [forget]);

  // A picture that is dropped beside the form would be opened in place of the page.
  useEffect(() => {
    const keep = (event: globalThis.DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    const kinds = ['dragover', 'drop'] as const;
    for (const kind of kinds) window.addEventListener(kind, keep);
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, keep);
    };
  }, []);

  const upload = async (key: number, pressed = false) => {
    const known = work.current.get(key);
    if (known === undefined) return;
    const { signal } = known.stop;
    try {
      const onProgress = (share: number) => tell({ type: 'moved', key, share });
      const { fileName, filePath } = await sendFile(
        'POST /api/common/upload',
        { file: known.file, opt },
        { signal, onProgress, pressed },
      );
      paths.set(fileName, filePath);
      tell({ type: 'done', key, fileName });
    } catch (error) {
      if (signal.aborted) return;
      tell({ type: 'failed', key, msg: uploadFailure(error) });
    }
  };
  const begin = async (key: number, file: File, kept: Work['kept'], pressed: boolean) => {
    const stop = new AbortController();
    work.current.set(key, { stop, file, preview: '', kept });
    try {
      const prepared = await prepareImage(opt, file, stop.signal);
      if (!prepared.ok) {
        discard(key);
        return tell({ type: 'refused', key, msg: prepared.msg });
      }
      const preview = URL.createObjectURL(prepared.file);
      if (stop.signal.aborted) return URL.revokeObjectURL(preview);
      work.current.set(key, { stop, file: prepared.file, preview, kept });
      tell({ type: 'sending', key, preview });
      await upload(key, pressed);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
  };
  /** Takes up as many as there is room for. @returns which those are */
  const take = (files: readonly File[]) => {
    const room = MOST_IMAGES - count.current;
    const taken = files.slice(0, Math.max(0, room)).map((file) => {
      lastKey += 1;
      return { key: lastKey, file };
    });
    count.current += taken.length;
    if (taken.length > 0) tell({ type: 'chosen', images: taken.map(({ key, file }) => ({ key, name: file.name })) });
    return taken;
  };
  const choose = (files: Iterable<File>) => {
    if (still) return;
    const chosen = [...files];
    const taken = take(chosen);
    if (taken.length < chosen.length) tell({ type: 'refused', key: null, msg: tooMany });
    const unsent = unsentPictures(owner, place);
    for (const { key, file } of taken) {
      const kept = unsent.keep(file);
      void kept.then((id) => {
        if (id === null) setUnkept(true);
      });
      void begin(key, file, kept, true);
    }
  };
  // Those that were on their way when the form, or its page, was left.
  const takeUp = useRef((_: readonly { id: number; file: File }[]) => {});
  takeUp.current = (left) => {
    const taken = take(left.map(({ file }) => file));
    for (const [at, { id }] of left.entries()) {
      const picture = taken[at];
      if (picture === undefined) forgetUnsent(id);
      else void begin(picture.key, picture.file, Promise.resolve(id), false);
    }
  };
  useEffect(() => {
    if (owner === 0) return;
    let isHere = true;
    void unsentPictures(owner, place)
      .read()
      .then((left) => {
        if (isHere && left.length > 0) takeUp.current(left);
      });
    return () => {
      isHere = false;
    };
  }, [owner, place]);
  // By now the draft names those that have arrived: `useDraft` stands below, in the same drawing.
  useEffect(() => {
    for (const { key, phase } of images) {
      const known = work.current.get(key);
      if (phase !== 'done' || known === undefined) continue;
      letGo(known);
      known.kept = Promise.resolve(null);
    }
  }, [images]);
  const onWay = images.some(({ phase }) => phase !== 'done');
  useEffect(() => {
    if (!unkept || !onWay) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [unkept, onWay]);
  const done = images.filter(({ phase }) => phase === 'done');
  const [feedbackImg, feedbackImg1, feedbackImg2] = done.map(({ fileName }) => fileName);
  return {
    ...state,
    busy: images.some(({ phase }) => phase === 'reading' || phase === 'sending'),
    failed: images.some(({ phase }) => phase === 'failed'),
    still,
    fields: { feedbackImg, feedbackImg1, feedbackImg2 },
    kept: done.map(({ fileName, preview }) => ({ fileName, preview: paths.get(fileName) ?? preview })),
    choose,
    remove: (key) => {
      if (still) return;
      discard(key);
      tell({ type: 'removed', key });
    },
    retry: (key) => {
      tell({ type: 'retried', key });
      void upload(key, true);
    },
    clear: () => {
      for (const { key } of images) discard(key);
      tell({ type: 'cleared' });
    },
    areaProps: {
      onPaste: (event) => {
        const files = [...event.clipboardData.files];
        if (files.length === 0 || isTextPasted(event.clipboardData.getData('text/plain'), files)) return;
        event.preventDefault();
        choose(files);
      },
      onDragOver: (event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setDropping(!still);
      },
      onDragLeave: (event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDropping(false);
      },
      onDrop: (event) => {
        setDropping(false);
        if (event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        choose(event.dataTransfer.files);
      },
      'data-dropping': dropping || undefined,
    },
  };
}

/** A picture has arrived, or is not wanted: it need not be kept here. */
function letGo(known: Work | undefined): void {
  void known?.kept.then((id) => (id === null ? undefined : forgetUnsent(id)));
}

/** Where uploaded pictures are served, by what names them: of this page, for drafts. */
const paths = new Map<string, string>();
