import { useEffect, useState } from 'react';
import { serverNow } from '#web/lib/clock.ts';
import { type Retake, whyNotAgain } from './retake.ts';

/** Timers hold no more milliseconds than this. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** `whyNotAgain` as it stands now: the wait of a page that stays open ends by itself. */
export function useWhyNotAgain(retake: Retake): string | null {
  const [, redraw] = useState(0);
  const now = serverNow();
  const stop = whyNotAgain(retake, now);
  const wait = stop !== null && retake.nextAt !== null && retake.nextAt > now ? retake.nextAt - now : null;
  useEffect(() => {
    if (wait === null) return;
    const timer = setTimeout(() => redraw((times) => times + 1), Math.min(wait + 1, LONGEST_TIMER));
    return () => clearTimeout(timer);
  }, [wait]);
  return stop;
}
