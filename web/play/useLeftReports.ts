import { useEffect, useEffectEvent, useState } from 'react';
import { forgetAhead } from '#web/lib/asked-ahead.ts';
import { hasUnsent, recoverUnsent, sendLeft } from './unsent-reports.ts';

/** Milliseconds between two looks for what stayed behind, and how long the lesson waits for the first one. */
const EVERY = 15_000;
const PATIENCE = 3000;

/**
 * Sends what was watched without a network: when the page opens, when the network is back, and now and then.
 * @param studentId null: a visitor
 * @param onSent something arrived
 * @returns whether a lesson may be asked for: what was left of it is there by then, so that it opens where its student was
 */
export function useLeftReports(studentId: number | null, onSent: () => void): boolean {
  const [tried, setTried] = useState<number | null>(null);
  const sent = useEffectEvent(onSent);
  useEffect(() => {
    if (studentId === null) return;
    let busy = false;
    const look = async () => {
      if (busy || !hasUnsent(studentId)) return;
      busy = true;
      try {
        // Asked for before this was said, it would open where its student was before.
        forgetAhead('/app/course/lesson?');
        if (await sendLeft(studentId)) sent();
      } finally {
        busy = false;
      }
    };
    const done = () => setTried(studentId);
    const late = setTimeout(done, PATIENCE);
    void look().then(done, done);
    // Of a browser that was killed in its first seconds only the disk knows: no lesson waits for that.
    void recoverUnsent().then((found) => (found ? look() : undefined));
    const again = setInterval(() => void look(), EVERY);
    const online = () => void look();
    window.addEventListener('online', online);
    return () => {
      clearTimeout(late);
      clearInterval(again);
      window.removeEventListener('online', online);
    };
  }, [studentId]);
  return studentId === null || tried === studentId;
}
