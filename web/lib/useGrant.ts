import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Source } from '#ui/player/engine.ts';
import { serverNow } from '#web/lib/clock.ts';
import { CallError, type Data, isPassing, send } from '#web/lib/send.ts';

type Grant = Data<'GET /app/video/auth'>;

/** Milliseconds before a grant ends in which it is renewed. */
const AHEAD = 60_000;
/** The soonest next renewal, also where the clock of this device is wrong. */
const SOONEST = 15_000;

/**
 * The right to play one video or sound: asked for before it plays, renewed while it is open, and again when the server refuses what it
 * opened (after a long pause, or a sleep). It travels in a header, and for the browser's own requests (poster, subtitles) as a cookie.
 */
export function useGrant(mediaId: number): {
  /** Null: not there yet. */
  source: Source | null;
  /** Where poster and pictures are. */
  path: string | null;
  /** Why it cannot be played, or not any longer. */
  refusal: CallError | null;
  /** Asks again. */
  again: () => void;
} {
  const held = useRef<Grant | null>(null);
  const [path, setPath] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<CallError | null>(null);
  const [renewals, setRenewals] = useState(0);
  const ask = useCallback(async (): Promise<boolean> => {
    try {
      const grant = await send('GET /app/video/auth', { fileId: mediaId });
      held.current = grant;
      setPath(grant.path);
      setRefusal(null);
      setRenewals((count) => count + 1);
      return true;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      // While there is a grant, a lost network is for the player to notice: it may be back before the grant ends.
      if (held.current !== null && isPassing(error)) throw error;
      setRefusal(error);
      return false;
    }
  }, [mediaId]);
  useEffect(() => {
    ask().catch(() => undefined);
  }, [ask]);
  useEffect(() => {
    if (renewals === 0 || held.current === null) return;
    const wait = Math.max(SOONEST, held.current.expiresAt - serverNow() - AHEAD);
    const timer = setTimeout(() => ask().catch(() => undefined), wait);
    return () => clearTimeout(timer);
  }, [renewals, ask]);
  const source = useMemo<Source | null>(
    () =>
      path === null
        ? null
        : {
            url: `${path}master.m3u8`,
            headers: (): Record<string, string> =>
              held.current === null ? {} : { authorization: `Bearer ${held.current.token}` },
            renew: ask,
          },
    [path, ask],
  );
  return { source, path, refusal, again: () => void ask().catch(() => undefined) };
}
