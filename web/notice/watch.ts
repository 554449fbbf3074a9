import { NOTICE_BEAT } from '#contract/values/notice.ts';
import { pauseBefore } from '#web/lib/reconnect.ts';
import type { Data } from '#web/lib/send.ts';

export type Unread = Data<'GET /app/common/notice_unread'>;

/** Milliseconds between two questions to the server while no connection stands. */
const ASK_EVERY = 60_000;
/** Milliseconds after which a connection counts as one that stands. */
const STANDS = 10_000;
/** A window that is out of sight gives its connection up after so many milliseconds, for another one to have it. */
const OUT_OF_SIGHT = 20_000;
/** A connection on which nothing came for so many milliseconds has died without a word: the server repeats itself (`NOTICE_BEAT`). */
const SILENT = 2.5 * NOTICE_BEAT;
/** Milliseconds between two looks whether the connection still speaks. */
const LISTEN_EVERY = 15_000;
/** The session has ended: the server's closing code. */
const SIGNED_OUT = 4401;

/**
 * Hears what is unread for one person, as the server pushes it. Of the windows of a browser one that is in sight holds the connection
 * and tells the others; where the browser knows no locks (on plain http) each one in sight has its own. One that is out of sight has
 * none, and hears the truth as soon as it is seen again. While none stands the server is asked once a minute.
 * @returns what ends it
 */
export function watchNotices(userId: number, heard: (unread: Unread) => void, ask: () => void): () => void {
  const name = `lixue.notices.${userId}`;
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name);
  channel?.addEventListener('message', ({ data }) => {
    if (isUnread(data)) heard(data);
  });
  let socket: WebSocket | null = null;
  let tries = 0;
  let heardAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Ends the turn as the window that holds the connection; null: it is another's. */
  let giveUp: (() => void) | null = null;

  const connect = () => {
    const { protocol, host } = window.location;
    const mine = new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/app/common/notice_watch`);
    socket = mine;
    heardAt = Date.now();
    let since = Number.POSITIVE_INFINITY;
    mine.addEventListener('open', () => {
      since = performance.now();
    });
    mine.addEventListener('message', ({ data }) => {
      heardAt = Date.now();
      try {
        const said: unknown = JSON.parse(String(data));
        if (!isUnread(said)) return;
        heard(said);
        channel?.postMessage(said);
      } catch {
        // Not ours: the next one tells the truth anyway.
      }
    });
    mine.addEventListener('close', ({ code }) => {
      if (socket !== mine) return;
      socket = null;
      const stood = performance.now() - since >= STANDS;
      tries = stood ? 0 : tries + 1;
      if (code !== SIGNED_OUT) timer = setTimeout(connect, pauseBefore(tries, stood, Math.random()));
    });
  };
  const disconnect = () => {
    clearTimeout(timer);
    const old = socket;
    socket = null;
    old?.close();
  };
  /** Waits for the turn to hold the connection, and keeps it until it is given up. */
  const begin = () => {
    if (giveUp !== null) return;
    const stop = new AbortController();
    let end: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    giveUp = () => {
      giveUp = null;
      stop.abort();
      disconnect();
      end();
    };
    tries = 0;
    if (!('locks' in navigator)) return connect();
    navigator.locks
      .request(name, { signal: stop.signal }, () => {
        if (stop.signal.aborted) return;
        connect();
        return held;
      })
      // Given up before its turn came.
      .catch(() => undefined);
  };

  /** Another connection in the place of one that is silent, also one that never opened. */
  const listen = () => {
    if (document.visibilityState !== 'visible' || socket === null || Date.now() - heardAt < SILENT) return;
    disconnect();
    connect();
    ask();
  };

  let away: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(away);
    if (document.visibilityState === 'visible') {
      begin();
      listen();
    } else away = setTimeout(() => giveUp?.(), OUT_OF_SIGHT);
  };
  const renew = () => {
    if (socket === null && giveUp === null) return;
    giveUp?.();
    look();
  };
  const asking = setInterval(() => {
    if (document.visibilityState === 'visible' && socket?.readyState !== WebSocket.OPEN) ask();
  }, ASK_EVERY);
  const listening = setInterval(listen, LISTEN_EVERY);
  document.addEventListener('visibilitychange', look);
  window.addEventListener('online', renew);
  look();
  return () => {
    clearTimeout(away);
    clearInterval(asking);
    clearInterval(listening);
    document.removeEventListener('visibilitychange', look);
    window.removeEventListener('online', renew);
    giveUp?.();
    channel?.close();
  };
}

function isUnread(value: unknown): value is Unread {
  if (typeof value !== 'object' || value === null) return false;
  const { count, announced } = value as Partial<Unread>;
  return typeof count === 'number' && typeof announced === 'number';
}
