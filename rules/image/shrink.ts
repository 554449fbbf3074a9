import { QA_SHRINK_FROM, SHRUNK_SIDE } from '#contract/values/image.ts';
import type { ImageKind } from './check.ts';

/**
 * Whether a picture for Q&A is made smaller before it is sent (spec §5): over 3072 KB; and whatever is neither JPEG nor PNG becomes a JPEG
 * at any size, since the server takes nothing else.
 */
export function mustShrink({ size, kind }: { size: number; kind: ImageKind | null }): boolean {
  return kind === null || size > QA_SHRINK_FROM;
}

/** The size in pixels of a picture whose longest side is brought down to 1920, never up (spec §9). */
export function shrunkSize(width: number, height: number): { width: number; height: number } {
  const share = Math.min(1, SHRUNK_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * share)), height: Math.max(1, Math.round(height * share)) };
}
