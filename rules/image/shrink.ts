import { DRAWN_POINTS, MOST_POINTS, QA_SHRINK_FROM, SHRUNK_SIDE } from '#contract/values/image.ts';
import type { ImageKind } from './check.ts';

/**
 * What is done with a picture for Q&A before it is sent. `shrink`: over 3072 KB (spec §5); with more points than the server takes, whatever
 * its bytes; and whatever is neither JPEG nor PNG, since the server takes nothing else. `refuse`: nobody should decode so many points.
 * @param points width by height; null: not known, since the browser cannot read it
 */
export function beforeSending({
  size,
  kind,
  points,
}: {
  size: number;
  kind: ImageKind | null;
  points: number | null;
}): 'send' | 'shrink' | 'refuse' {
  if (points !== null && points > DRAWN_POINTS) return 'refuse';
  return kind === null || size > QA_SHRINK_FROM || (points ?? 0) > MOST_POINTS ? 'shrink' : 'send';
}

/** The size in pixels of a picture whose longest side is brought down to 1920, never up (spec §9). */
export function shrunkSize(width: number, height: number): { width: number; height: number } {
  const share = Math.min(1, SHRUNK_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * share)), height: Math.max(1, Math.round(height * share)) };
}
