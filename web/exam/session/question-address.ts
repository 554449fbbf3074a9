import { putInAddress } from '#web/lib/address.ts';

/** Milliseconds after which a refused change of the address is tried again. */
const AGAIN = 3000;

/**
 * Keeps the number of the question on the screen in the address, `?q=12`. Browsers refuse too many changes in a short time
 * (Safari 100 in 30 s): the latest one is put in later, unless it was stopped before.
 */
export function questionAddress(): { put: (index: number) => void; stop: () => void } {
  let late: ReturnType<typeof setTimeout> | undefined;
  const put = (index: number) => {
    clearTimeout(late);
    try {
      putInAddress({ q: String(index + 1) });
    } catch {
      late = setTimeout(() => put(index), AGAIN);
    }
  };
  return { put, stop: () => clearTimeout(late) };
}
