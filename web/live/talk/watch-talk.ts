import { TALK_BEAT } from '#contract/values/live-talk.ts';
import { pauseBefore } from '#web/lib/reconnect.ts';
import type { RoomState, TalkEvent } from './talk-state.ts';

/** What the server says in one message. */
interface Said {
  events: TalkEvent[];
  state: RoomState | null;
}

/** Milliseconds after which a connection counts as one that stands. */
const STANDS = 10_000;
/** A connection on which nothing came for so many milliseconds has died without a word. */
const SILENT = 2.5 * TALK_BEAT;
const LISTEN_EVERY = 5000;
/** The session has ended: the server's closing code. */
const SIGNED_OUT = 4401;

interface Hears {
  heard(said: Said): void;
  /** A connection stands: what was said before it has to be asked for now. */
  stands(): void;
  lost(): void;
}

/**
 * Hears what happens in the room of a lesson for as long as its page is open, also where that is out of sight: who listens is there.
 * A connection that ends is made again, spread over some seconds so that a whole class does not come back in one.
 * @returns what ends it
 */
export function watchTalk(liveId: number, { heard, stands, lost }: Hears): () => void {
  let socket: WebSocket | null = null;
  let tries = 0;
  let heardAt = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const connect = () => {
    clearTimeout(timer);
    const { protocol, host } = window.location;
    const mine = new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/app/live/chat?liveId=${liveId}`);
    socket = mine;
    heardAt = Date.now();
    let since = Number.POSITIVE_INFINITY;
    mine.addEventListener('message', ({ data }) => {
      if (socket !== mine) return;
      heardAt = Date.now();
      const said = readSaid(String(data));
      if (said === null) return;
      heard(said);
      // The first word says that this window is in the room: from now on it misses nothing.
      if (since === Number.POSITIVE_INFINITY) {
        since = performance.now();
        stands();
      }
    });
    mine.addEventListener('close', ({ code }) => {
      if (socket !== mine) return;
      socket = null;
      lost();
      const stood = performance.now() - since >= STANDS;
      tries = stood ? 0 : tries + 1;
      if (code !== SIGNED_OUT) timer = setTimeout(connect, pauseBefore(tries, stood, Math.random()));
    });
  };
  const again = () => {
    const old = socket;
    socket = null;
    old?.close();
    lost();
    connect();
  };
  const listening = setInterval(() => {
    if (socket !== null && Date.now() - heardAt > SILENT) again();
  }, LISTEN_EVERY);
  const online = () => {
    tries = 0;
    again();
  };
  window.addEventListener('online', online);
  connect();
  return () => {
    clearTimeout(timer);
    clearInterval(listening);
    window.removeEventListener('online', online);
    const old = socket;
    socket = null;
    old?.close();
  };
}

function readSaid(text: string): Said | null {
  try {
    const said: unknown = JSON.parse(text);
    return typeof said === 'object' && said !== null && 'events' in said && Array.isArray(said.events)
      ? (said as Said)
      : null;
  } catch {
    return null;
  }
}
