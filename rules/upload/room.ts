import { LARGEST_UPLOAD, MOST_UPLOAD_BYTES, MOST_UPLOADS } from '#contract/values/upload.ts';

/** Bytes that stay free on the disk whatever is uploaded: exams are saved there, and films are made out of what came. */
export const KEPT_FREE = 1024 ** 3;

/** What unfinished uploads there are. */
export interface Unfinished {
  /** Of the person who asks. */
  own: { count: number; bytes: number };
  /** Bytes that have not come yet, of everybody. */
  missing: number;
}

/**
 * Whether an upload of this size may begin (docs/decisions/036-uploads.md): what one person may have under way is bounded, and the disk has to
 * hold all that was promised to anybody.
 * @param free bytes on the disk
 */
export function mayBegin(
  bytes: number,
  { own, missing }: Unfinished,
  free: number,
): { ok: true } | { ok: false; why: 'uploadEmpty' | 'uploadTooLarge' | 'uploadsFull' | 'diskFull' } {
  if (bytes === 0) return { ok: false, why: 'uploadEmpty' };
  if (bytes > LARGEST_UPLOAD) return { ok: false, why: 'uploadTooLarge' };
  if (own.count >= MOST_UPLOADS || own.bytes + bytes > MOST_UPLOAD_BYTES) return { ok: false, why: 'uploadsFull' };
  if (missing + bytes + KEPT_FREE > free) return { ok: false, why: 'diskFull' };
  return { ok: true };
}

/**
 * Whether somebody who writes to an upload still does: another one may take it over when nothing was heard of them for a while. A killed
 * process says nothing, and neither does a line that broke without a word.
 * @param heardAt when a process last said that bytes come; null: nobody writes
 */
export function isHeld(heardAt: number | null, now: number): boolean {
  return heardAt !== null && Math.abs(now - heardAt) < HELD_FOR;
}

/** Milliseconds without a word after which an upload is nobody's. */
export const HELD_FOR = 8000;
