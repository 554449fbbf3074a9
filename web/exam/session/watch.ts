import { queryOf } from '#web/lib/send.ts';

const events = ['takenOver', 'submitted', 'timeGiven'] as const;
type WatchEvent = (typeof events)[number];
interface Message {
  recordId: number;
  windowId: string;
  event: WatchEvent;
}

/** Longest pause between two tries to reach the server, in milliseconds. */
const LONGEST = 20_000;
/** Milliseconds after which a connection counts as one that stands; one that ends sooner is tried ever more slowly. */
const STANDS = 10_000;
/** Milliseconds between two looks at the connection. While none stands, the server is asked at each (decisions §3: 2 s). */
const LOOK_EVERY = 1500;
/** While the server does not answer either, it is asked at every nth look at most. */
const PATIENT = 4;
/** Looks between two questions while a connection stands: it may have died without a word, which no browser notices. */
const SELDOM = 14;
/** Milliseconds between two looks after which the machine or the page was asleep, and its connection may be dead. */
const SLEPT = 10_000;

export interface Watch {
  /** Tells the other windows of this browser at once; those on other devices hear it from the server. */
  tell(event: WatchEvent): void;
  stop(): void;
}

function openChannel(): BroadcastChannel | null {
  return typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('lixue.exam');
}

function sayOnce(message: Message): void {
  const channel = openChannel();
  channel?.postMessage(message);
  channel?.close();
}

/**
 * Watches a record for what other windows do with it: those of this browser by BroadcastChannel, those of other devices
 * by the server's push (decisions §3: the other window says so within 2 s). `heard` is told. `again` asks the server what
 * it holds and resolves to whether it answered: it is called when a connection is back and something may have been
 * missed, and, where the network lets no connection through, every 1.5 s while the page is visible.
 */
export function watchRecord(
  recordId: number,
  windowId: string,
  heard: (event: WatchEvent) => void,
  again: () => Promise<boolean>,
): Watch {
  const channel = openChannel();
  const take = (message: unknown) => {
    if (isMessage(message) && message.recordId === recordId && message.windowId !== windowId) heard(message.event);
  };
  channel?.addEventListener('message', ({ data }) => take(data));

  let socket: WebSocket | null = null;
  let tries = 0;
  let missed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const connect = () => {
    if (stopped) return;
    const { protocol, host } = window.location;
    const mine = new WebSocket(
      `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/app/exam/watch${queryOf({ recordId, windowId })}`,
    );
    socket = mine;
    let since = Number.POSITIVE_INFINITY;
    mine.addEventListener('open', () => {
      since = performance.now();
      if (missed) void again();
      missed = false;
    });
    mine.addEventListener('message', ({ data }) => {
      try {
        const said: unknown = JSON.parse(String(data));
        if (typeof said === 'object' && said !== null) take({ windowId: '', ...said, recordId });
      } catch {
        // Not ours; the next refresh tells the truth anyway.
      }
    });
    mine.addEventListener('close', () => {
      if (stopped || socket !== mine) return;
      missed = true;
      tries = performance.now() - since >= STANDS ? 1 : tries + 1;
      timer = setTimeout(connect, Math.min(LONGEST, 500 * 2 ** tries) * (0.5 + Math.random()));
    });
  };
  /** Another connection in place of one that may be dead, or of a try that began without a network. */
  const renew = () => {
    if (stopped) return;
    clearTimeout(timer);
    missed = true;
    const old = socket;
    socket = null;
    old?.close();
    connect();
  };

  let looks = 0;
  let unanswered = 0;
  let looked = Date.now();
  const look = () => {
    // Hidden pages look as seldom as the browser lets them, and ask when they are seen again.
    if (document.visibilityState !== 'visible') return;
    const now = Date.now();
    if (Math.abs(now - looked) > SLEPT) renew();
    looked = now;
    looks += 1;
    const every = socket?.readyState === WebSocket.OPEN ? SELDOM : Math.min(PATIENT, 1 + unanswered);
    if (looks < every) return;
    looks = 0;
    void again().then((answered) => {
      unanswered = answered ? 0 : unanswered + 1;
    });
  };
  const looking = setInterval(look, LOOK_EVERY);
  connect();
  window.addEventListener('online', renew);
  return {
    tell: (event) => {
      // What was under way when the screen was left still has news for the others; this window's channel is closed then.
      if (stopped) sayOnce({ recordId, windowId, event });
      else channel?.postMessage({ recordId, windowId, event } satisfies Message);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      clearInterval(looking);
      window.removeEventListener('online', renew);
      channel?.close();
      socket?.close();
    },
  };
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null) return false;
  const { recordId, windowId, event } = value as Partial<Message>;
  return typeof recordId === 'number' && typeof windowId === 'string' && events.some((known) => known === event);
}
