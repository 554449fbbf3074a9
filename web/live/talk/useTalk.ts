import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { keepDraft, keptDraft } from '#web/lib/drafts.ts';
import { randomName } from '#web/lib/random-name.ts';
import { CallError, failureText, isPassing, send } from '#web/lib/send.ts';
import { t } from '#web/lib/t.ts';
import { isBehind, keptOf, NEW_TALK, nextUnsent, type Own, type RoomState, readKept, talkAfter } from './talk-state.ts';
import { watchTalk } from './watch-talk.ts';

const READ = 'GET /app/live/talk';
/** Milliseconds before a message is tried again that met no network, a busy server or a limit. */
const TRY_AGAIN = 3000;

/** Whether a message may be taken a little later as it is. */
const isLater = (error: CallError) => isPassing(error) || error.code === 429;

/** The room of a lesson for one window: what was said, how it stands, what one wrote oneself, and whether a connection stands. */
export function useTalk(liveId: number) {
  const [talk, change] = useReducer(talkAfter, NEW_TALK);
  const [connected, setConnected] = useState<boolean | null>(null);
  /** Why the room cannot be entered; null: it can, or that is not known yet. */
  const [fault, setFault] = useState<CallError | null>(null);
  const last = useRef<number | null>(null);
  last.current = talk.last;
  const reading = useRef(false);

  /** Asks for what is missing, until nothing is. */
  const catchUp = useCallback(async () => {
    if (reading.current) return;
    reading.current = true;
    try {
      for (let more = true; more; ) {
        const after = last.current;
        const room = await send(READ, after === null ? { liveId } : { liveId, after });
        change({ type: 'read', room, after });
        last.current = after === null ? (room.list.at(-1)?.seq ?? room.state.seq) : (room.list.at(-1)?.seq ?? after);
        more = after !== null && room.more;
      }
      setFault(null);
    } catch (error) {
      if (error instanceof CallError) setFault(error);
    } finally {
      reading.current = false;
    }
  }, [liveId]);

  useEffect(
    () =>
      watchTalk(liveId, {
        heard: ({ events, state }) => change({ type: 'heard', events, state }),
        stands: () => {
          setConnected(true);
          void catchUp();
        },
        lost: () => setConnected(false),
      }),
    [liveId, catchUp],
  );
  // What was said can be read where no connection comes about, and why one may not enter.
  useEffect(() => void catchUp(), [catchUp]);
  const behind = isBehind(talk);
  // A catch-up that a busy server refused is tried again, unless one may not enter at all.
  const lacks = behind || talk.last === null || (talk.state?.seq ?? 0) > talk.last;
  const mayAsk = fault === null || isLater(fault);
  useEffect(() => {
    if (behind) void catchUp();
    if (!lacks || !mayAsk) return;
    const asking = setInterval(() => void catchUp(), TRY_AGAIN);
    return () => clearInterval(asking);
  }, [behind, lacks, mayAsk, catchUp]);

  // What has not arrived is kept over a reload, as other drafts are, and leaves again under its name: it is the same message.
  const owner = talk.own?.userId ?? null;
  const place = `live-talk.${liveId}`;
  const kept = useRef<string | null>(null);
  useEffect(() => {
    if (owner !== null) change({ type: 'kept', kept: keptDraft(owner, place, readKept) ?? [] });
  }, [owner, place]);
  const toKeep = JSON.stringify(keptOf(talk));
  useEffect(() => {
    // A window that has written nothing leaves alone what another one keeps.
    if (owner === null || toKeep === (kept.current ?? 'null')) return;
    kept.current = toKeep;
    keepDraft(owner, place, JSON.parse(toKeep) as object | null);
  }, [owner, place, toKeep]);

  // One message after the other, in the order in which they were written.
  const next = nextUnsent(talk);
  const [turn, setTurn] = useState(0);
  const [clientId, text] = [next?.clientId, next?.text];
  useEffect(() => {
    if (clientId === undefined || text === undefined) return;
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tryAgain = () => setTurn(turn + 1);
    void send('POST /app/live/talk_say', { liveId, text, clientId })
      .then(({ event, heldWords }) => {
        if (event !== null) return change({ type: 'sent', clientId, seq: event.seq });
        const words = heldWords.join(t('、'));
        change({ type: 'refused', clientId, why: t('含有“{words}”，没有发出，请修改后再发。', { words }) });
      })
      .catch((error: unknown) => {
        if (over) return;
        if (!(error instanceof CallError) || !isLater(error))
          return change({ type: 'refused', clientId, why: failureText(error) });
        change({ type: 'waits' });
        timer = setTimeout(tryAgain, TRY_AGAIN);
        window.addEventListener('online', tryAgain, { once: true });
      });
    return () => {
      over = true;
      clearTimeout(timer);
      window.removeEventListener('online', tryAgain);
    };
  }, [liveId, clientId, text, turn]);

  const readOlder = useCallback(async () => {
    const before = talk.events[0]?.seq;
    if (before !== undefined) change({ type: 'older', room: await send(READ, { liveId, before }) });
  }, [liveId, talk.events]);

  return {
    ...{ talk, connected, fault, catchUp, readOlder },
    say: (written: string) => change({ type: 'wrote', clientId: randomName(), text: written }),
    sayAgain: (name: string) => change({ type: 'sends', clientId: name }),
    drop: (name: string) => change({ type: 'dropped', clientId: name }),
    /** Says what an answer told of how the room stands. */
    stands: (state: RoomState, own: Partial<Own> = {}) => change({ type: 'stands', state, own }),
  };
}

export type Room = ReturnType<typeof useTalk>;
