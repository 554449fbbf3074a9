import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Opening, Source } from '#ui/player/source.ts';
import { serverNow } from '#web/lib/clock.ts';
import { CallError, type Data, isPassing, send } from '#web/lib/send.ts';

type Grant = Data<'GET /app/video/auth'>;

/** Milliseconds before a grant ends in which it is renewed. */
const AHEAD = 60_000;
/** The soonest next renewal, also where the clock of this device is wrong. */
const SOONEST = 15_000;

/** Milliseconds after which the first right is asked for once more, where no answer came or the server was busy. */
const ONCE_MORE = 1000;
/** Milliseconds that one waits for a right. */
const LONGEST = 10_000;

/** Milliseconds that the film has for itself before what stands around it is asked for and drawn. */
const AROUND_AFTER = 200;

/** What a grant plays, with what came along by the addresses at which a player would ask for it. */
function openingOf({ path, begin }: Grant): Opening {
  const at = (part: string) => new URL(path + part, window.location.href).href;
  const url = at('master.m3u8');
  if (begin === null) return { url };
  const begins = at(`${begin.name}.m3u8`);
  const key = Uint8Array.from(atob(begin.key), (sign) => sign.charCodeAt(0)).buffer;
  const known = new Map<string, string | ArrayBuffer>([
    [url, begin.master],
    [begins, begin.playlist],
    [at(`${begin.name}.key`), key],
  ]);
  return { url, known, begins };
}

/**
 * The right to play one video or sound: asked for before it plays, renewed while it is open, and again when the server refuses what it
 * opened (after a long pause, or a sleep). It travels in a header, and for the browser's own requests (poster, subtitles) as a cookie.
 */
export function useGrant(mediaId: number): {
  source: Source;
  /** Where poster and pictures are; null: there is no right yet. */
  path: string | null;
  /** Why it cannot be played, or not any longer. */
  refusal: CallError | null;
  /** Asks again. */
  again: () => void;
} {
  const held = useRef<Grant | null>(null);
  const opening = useRef<Promise<boolean> | null>(null);
  const around = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(around.current), []);
  const [path, setPath] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<CallError | null>(null);
  const [renewals, setRenewals] = useState(0);
  const ask = useCallback(
    async (begins: 0 | 1): Promise<boolean> => {
      try {
        const right = () => send('GET /app/video/auth', { fileId: mediaId, begins }, { timeout: LONGEST });
        const grant = await right().catch(async (error: unknown) => {
          if (held.current !== null || !(error instanceof CallError) || !isPassing(error)) throw error;
          // Without a right there is no film at all: once more, before that is said.
          await new Promise((resolve) => setTimeout(resolve, ONCE_MORE));
          return right();
        });
        held.current = grant;
        clearTimeout(around.current);
        around.current = setTimeout(
          () =>
            startTransition(() => {
              setPath(grant.path);
              setRenewals((count) => count + 1);
            }),
          AROUND_AFTER,
        );
        setRefusal(null);
        return true;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        // While there is a grant, a lost network is for the player to notice: it may be back before the grant ends.
        if (held.current !== null && isPassing(error)) throw error;
        setRefusal(error);
        return false;
      }
    },
    [mediaId],
  );
  const begin = useCallback(() => {
    opening.current ??= ask(1).finally(() => {
      opening.current = null;
    });
    return opening.current;
  }, [ask]);
  useEffect(() => {
    if (held.current === null) begin().catch(() => undefined);
  }, [begin]);
  useEffect(() => {
    if (renewals === 0 || held.current === null) return;
    const wait = Math.max(SOONEST, held.current.expiresAt - serverNow() - AHEAD);
    // One that did not come is asked for again.
    const timer = setTimeout(() => ask(0).catch(() => setRenewals((count) => count + 1)), wait);
    return () => clearTimeout(timer);
  }, [renewals, ask]);
  const source = useMemo<Source>(
    () => ({
      open: async () => {
        if (held.current === null) await begin();
        const grant = held.current;
        if (grant === null) return null;
        // What came along is used once: who opens it later asks for its keys anew.
        held.current = { ...grant, begin: null };
        return openingOf(grant);
      },
      headers: (): Record<string, string> =>
        held.current === null ? {} : { authorization: `Bearer ${held.current.token}` },
      renew: () => ask(0),
    }),
    [begin, ask],
  );
  return { source, path, refusal, again: () => void begin().catch(() => undefined) };
}
