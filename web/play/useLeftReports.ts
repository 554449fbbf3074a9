import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { forgetAhead } from '#web/lib/asked-ahead.ts';
import { hasUnsent, isTelling, onUnsent, recoverUnsent, sendLeft } from './unsent-reports.ts';

/** Milliseconds between two looks for what stayed behind, and how long a lesson waits for what this browser still says of it. */
const EVERY = 15_000;
const PATIENCE = 3000;

/**
 * Sends what was watched without a network: when the page opens, when the network is back, and now and then.
 * @param studentId null: a visitor
 * @param lessonId the lesson that is opened; null: none
 * @param onSent something arrived
 * @returns whether that lesson may be asked for: what was left of it, or is on its way, is there by then, so that it opens where its student was
 */
export function useLeftReports(studentId: number | null, lessonId: number | null, onSent: () => void): boolean {
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
    void look().then(done, done);
    // Of a browser that was killed in its first seconds only the disk knows: no lesson waits for that.
    void recoverUnsent().then((found) => (found ? look() : undefined));
    const again = setInterval(() => void look(), EVERY);
    const online = () => void look();
    window.addEventListener('online', online);
    return () => {
      clearInterval(again);
      window.removeEventListener('online', online);
    };
  }, [studentId]);
  // What one leaves and comes back to at once may still be on its way.
  const telling = useSyncExternalStore(onUnsent, () => lessonId !== null && isTelling(lessonId));
  /** `early`: it waited long enough, and what was on its way then is not in it. */
  const [opened, setOpened] = useState<{
    studentId: number | null;
    lessonId: number | null;
    early?: boolean;
  } | null>(null);
  const free = opened !== null && opened.studentId === studentId && opened.lessonId === lessonId;
  if (!free && !telling && (studentId === null || tried === studentId)) setOpened({ studentId, lessonId });
  useEffect(() => {
    if (free) return;
    const late = setTimeout(
      () => setOpened({ studentId, lessonId, early: lessonId !== null && isTelling(lessonId) }),
      PATIENCE,
    );
    return () => clearTimeout(late);
  }, [free, studentId, lessonId]);
  const arrivedLate = free && opened?.early === true && !telling;
  useEffect(() => {
    if (!arrivedLate) return;
    setOpened({ studentId, lessonId });
    sent();
  }, [arrivedLate, studentId, lessonId]);
  return free;
}
