import { useEffect } from 'react';
import { useMe } from '#web/lib/me.ts';

/** Milliseconds until what the page before left is left alone by it for certain, and between two looks. */
const FIRST = 6000;
const EVERY = 60_000;

/** Outside of an exam, sends what exams left behind in this browser: at the start, when the network is back, and now and then. */
export function useLeftovers(): void {
  const studentId = useMe().me?.studentId;
  useEffect(() => {
    if (studentId === undefined) return;
    let busy = false;
    const look = async () => {
      if (busy || document.visibilityState === 'hidden') return;
      busy = true;
      try {
        const { sendLeftovers } = await import('#web/exam/session/leftovers.ts');
        await sendLeftovers(studentId, Date.now());
      } catch {
        // No network for the code either: the next look comes.
      }
      busy = false;
    };
    const first = setTimeout(() => void look(), FIRST);
    const again = setInterval(() => void look(), EVERY);
    const online = () => void look();
    window.addEventListener('online', online);
    return () => {
      clearTimeout(first);
      clearInterval(again);
      window.removeEventListener('online', online);
    };
  }, [studentId]);
}
