import { DetailedError, Upload } from 'tus-js-client';
import type { Envelope } from '#contract/envelope.ts';
import { UPLOAD_CHUNK, UPLOAD_PATH } from '#contract/values/upload.ts';
import { CallError, send } from '#web/lib/send.ts';
import { msg } from '#web/lib/t.ts';
import { fingerprintOf } from './fingerprint.ts';
import {
  goesOn,
  nextToSend,
  PURPOSE,
  type UploadAction,
  type UploadItem,
  uploadsAfter,
  waitAfterCut,
} from './upload-state.ts';

const cutMsg = msg('网络断开了，恢复后自动继续');
const brokenMsg = msg('上传出错了,请重新上传!');
const unreadableMsg = msg('读不到这个文件，它可能已被移动或修改，请重新选择');

interface Work {
  file: File;
  fingerprint: string;
  upload: Upload | null;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * The uploads of this window, by tus (tus-js-client). They go on while other pages are shown; after a reload the same file finds its upload
 * by what is in it. What is cut off is tried again by itself, at once when the network is back.
 */
class Uploader {
  #items: readonly UploadItem[] = [];
  readonly #work = new Map<string, Work>();
  readonly #listeners = new Set<() => void>();
  #keys = 0;

  constructor() {
    globalThis.addEventListener?.('online', () => {
      for (const { key, phase } of this.#items) if (phase === 'cut') this.resume(key);
    });
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly items = () => this.#items;

  #do(action: UploadAction): void {
    this.#items = uploadsAfter(this.#items, action);
    for (const listener of this.#listeners) listener();
  }
  #phaseOf = (key: string) => this.#items.find((item) => item.key === key)?.phase;

  /** Takes files in; one that this window has already goes on. */
  add(files: readonly File[]): void {
    for (const file of files) void this.#take(file);
  }

  async #take(file: File): Promise<void> {
    this.#keys += 1;
    const key = String(this.#keys);
    this.#do({ do: 'add', key, fileName: file.name, bytes: file.size });
    let fingerprint: string;
    try {
      fingerprint = await fingerprintOf(file);
    } catch {
      return this.#do({ do: 'fail', key, msg: unreadableMsg });
    }
    const same = [...this.#work].find(([, work]) => work.fingerprint === fingerprint);
    if (same) {
      this.#do({ do: 'remove', key });
      this.resume(same[0]);
      return;
    }
    this.#work.set(key, { file, fingerprint, upload: null, timer: undefined });
    await this.#find(key);
  }

  /** Looks whether the server has a part of it already, then lets it wait for its turn. */
  async #find(key: string): Promise<void> {
    const work = this.#work.get(key);
    if (!work) return;
    try {
      const { list } = await send('GET /app/upload/list', { uploadFor: PURPOSE });
      const known = list.find(
        ({ fingerprint, bytes, state }) =>
          fingerprint === work.fingerprint && bytes === work.file.size && state === 'receiving',
      );
      if (known?.address) this.#do({ do: 'found', key, address: known.address, received: known.received });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (goesOn(error.code)) return this.#cut(key);
      return this.#do({ do: 'fail', key, msg: error.msg });
    }
    if (this.#phaseOf(key) !== 'reading') return;
    this.#do({ do: 'queue', key });
    this.#startNext();
  }

  #startNext(): void {
    for (let next = nextToSend(this.#items); next; next = nextToSend(this.#items)) this.#start(next);
  }

  #start({ key, address }: UploadItem): void {
    const work = this.#work.get(key);
    this.#do({ do: 'begin', key });
    if (!work) return;
    const { file, fingerprint } = work;
    const upload = new Upload(file, {
      endpoint: UPLOAD_PATH,
      ...(address === null ? {} : { uploadUrl: address }),
      metadata: { purpose: PURPOSE, filename: file.name, fingerprint },
      chunkSize: UPLOAD_CHUNK,
      // Where an upload goes on is asked of the server, and when it is tried again is said here.
      storeFingerprintForResuming: false,
      retryDelays: [],
      onUploadUrlAvailable: () => {
        const path = upload.url && new URL(upload.url, location.href).pathname;
        if (path) this.#do({ do: 'address', key, address: path });
      },
      onProgress: (sent) => this.#do({ do: 'progress', key, sent, at: performance.now() }),
      onSuccess: () => {
        this.#forget(key);
        this.#startNext();
      },
      onError: (error) => {
        if (this.#phaseOf(key) !== 'sending') return;
        const answer = error instanceof DetailedError ? error.originalResponse : null;
        const status = answer?.getStatus() ?? 0;
        if (error instanceof DetailedError && goesOn(status)) this.#cut(key);
        else this.#do({ do: 'fail', key, msg: sentenceOf(answer?.getBody() ?? '') });
        this.#startNext();
      },
    });
    work.upload = upload;
    upload.start();
  }

  #cut(key: string): void {
    this.#do({ do: 'cut', key, msg: cutMsg });
    const work = this.#work.get(key);
    const item = this.#items.find((known) => known.key === key);
    if (!work || !item) return;
    clearTimeout(work.timer);
    work.timer = setTimeout(() => this.#phaseOf(key) === 'cut' && this.resume(key), waitAfterCut(item.cuts));
  }

  pause(key: string): void {
    this.#do({ do: 'pause', key });
    const work = this.#work.get(key);
    clearTimeout(work?.timer);
    void work?.upload?.abort().catch(() => undefined);
    this.#startNext();
  }

  /** Goes on with what was paused, cut off or refused. */
  resume(key: string): void {
    const phase = this.#phaseOf(key);
    if (phase !== 'paused' && phase !== 'cut' && phase !== 'failed') return;
    clearTimeout(this.#work.get(key)?.timer);
    this.#do({ do: 'look', key });
    void this.#find(key);
  }

  /** Takes it back, here and at the server. */
  async cancel(key: string): Promise<void> {
    const address = this.#items.find((item) => item.key === key)?.address ?? null;
    const work = this.#work.get(key);
    this.#forget(key);
    await work?.upload?.abort().catch(() => undefined);
    if (address !== null) await takeBack(address);
    this.#startNext();
  }

  #forget(key: string): void {
    clearTimeout(this.#work.get(key)?.timer);
    this.#work.delete(key);
    this.#do({ do: 'remove', key });
  }
}

/** Takes back an upload of which this window has no file. */
export async function takeBack(address: string): Promise<void> {
  await Upload.terminate(address, { retryDelays: [] });
}

/** What the server says of a refusal. */
function sentenceOf(body: string): string {
  try {
    return (JSON.parse(body) as Envelope<unknown>).msg || brokenMsg;
  } catch {
    return brokenMsg;
  }
}

export const uploader = new Uploader();
