import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Playback } from '#ui/player/playback-state.ts';
import { randomName } from '#web/lib/random-name.ts';
import type { Data } from '#web/lib/send.ts';
import { isReportDue, type Played, playedAfter, playedAtStart, playedTick, takePortion } from './played.ts';
import { playsElsewhere, uncountedAfter } from './uncounted.ts';
import { keepBegun, sendReport, stayAlive } from './unsent-reports.ts';

export type Progress = Data<'POST /app/course/report_duration'>;

interface Reported {
  packId: number;
  firstVideoId: number;
  /** Whole seconds that the server knows of its length. */
  duration: number;
}

interface Options {
  lesson: Reported;
  /** Whose progress is kept; null: nobody's (a trial lesson of somebody who has not bought the pack). */
  studentId: number | null;
  /** Seconds: where it begins. */
  startAt: number;
  /** After each report that was acknowledged. */
  onProgress: (progress: Progress) => void;
}

/** Seconds of the ticker after which what was played is kept in this browser: so much is lost where it is killed. */
const KEPT_EVERY = 5;
/** The server takes places up to two seconds beyond the length it knows, since lengths differ by fractions. */
const BEYOND = 1.9;

/**
 * Reports what is played of a lesson (spec §4 Player): at 30 s of a ticker that runs while it plays, and the rest at a pause, at the end, with
 * another rate, when the page is hidden or closed, and when another lesson is opened, which saves the place first.
 */
export function useReports({ lesson, studentId, startAt, onProgress }: Options): {
  /** To be told of everything that changes in the player. */
  look: (state: Playback) => void;
  /** Sends what is not reported yet. @returns what the server says; null: nothing was to be said, or no answer came */
  flush: (how?: { ended?: boolean; keepalive?: boolean }) => Promise<Progress | null>;
  /** Seconds. */
  position: () => number;
  /** Whether the same student plays elsewhere at the same time, so that part of what plays here does not count. */
  elsewhere: boolean;
} {
  const [playId] = useState(randomName);
  const seq = useRef(0);
  const played = useRef<Played>(playedAtStart(startAt));
  const [ticks, setTicks] = useState(false);
  const [uncounted, setUncounted] = useState(0);
  const was = useRef({ playing: false, ended: false });
  const { packId, firstVideoId, duration } = lesson;
  const progressed = useRef(onProgress);
  useEffect(() => {
    progressed.current = onProgress;
  });

  const flush = useCallback(
    async ({ ended = false, keepalive = false }: { ended?: boolean; keepalive?: boolean } = {}) => {
      const { portion, moved, left } = takePortion(played.current);
      played.current = left;
      // A place alone is a report too, which is kept until it has arrived: whoever opens the lesson next, here or after a reload, waits for it.
      if (studentId === null || (portion === null && !ended && !moved)) return null;
      const at = { packId, firstVideoId };
      const inside = (position: number) => (duration > 0 ? Math.min(position, duration + BEYOND) : position);
      seq.current += 1;
      const said = portion ?? { duration: 0, position: left.position, places: [] };
      const progress = await sendReport(
        {
          ...{ ...at, ...said, position: inside(said.position), playId, seq: seq.current, studentId, at: Date.now() },
          ...(ended ? { ended: 1 } : {}),
        },
        { keepalive },
      );
      if (progress !== null) {
        progressed.current(progress);
        // What has no length has no seconds that could count.
        if (duration > 0) setUncounted((before) => uncountedAfter(before, said.duration, progress.believed));
      }
      return progress;
    },
    [studentId, packId, firstVideoId, duration, playId],
  );

  const look = useCallback(
    (state: Playback) => {
      const { position, readAt, rate, playing, waiting, ended } = state;
      // One report has one rate.
      if (rate !== played.current.rate && played.current.places.length > 0) void flush();
      const seen = { position, now: readAt, rate, moving: playing && !waiting };
      played.current = playedAfter(played.current, seen);
      const stopped = was.current.playing && !playing && !ended;
      was.current = { playing, ended };
      setTicks(playing);
      if (stopped || isReportDue(played.current)) void flush();
    },
    [flush],
  );

  const tick = useEffectEvent(() => {
    played.current = playedTick(played.current);
    if (isReportDue(played.current)) void flush();
    else if (played.current.ticks % KEPT_EVERY === 0) keep();
  });
  /** What would be reported now, for whoever comes after this page should it be killed. */
  const keep = () => {
    const { portion } = takePortion(played.current);
    if (portion === null || studentId === null) return;
    keepBegun({ packId, firstVideoId, ...portion, playId, seq: seq.current + 1, studentId, at: Date.now() });
  };
  useEffect(() => (studentId === null ? undefined : stayAlive(playId)), [studentId, playId]);
  useEffect(() => {
    if (!ticks) return;
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [ticks]);

  useEffect(() => {
    const away = () => void flush({ keepalive: true });
    const onHidden = () => document.visibilityState === 'hidden' && away();
    document.addEventListener('visibilitychange', onHidden);
    window.addEventListener('pagehide', away);
    return () => {
      document.removeEventListener('visibilitychange', onHidden);
      window.removeEventListener('pagehide', away);
      away();
    };
  }, [flush]);

  return { look, flush, position: () => played.current.position, elsewhere: playsElsewhere(uncounted) };
}
