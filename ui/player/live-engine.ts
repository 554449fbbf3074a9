import type Mpegts from 'mpegts.js';

/** Where a live stream comes from. */
export interface LiveSource {
  /** Waits for the right to watch. @returns the address of its WebSocket; null: it cannot be watched now, of which whoever asked for it tells */
  open: () => Promise<string | null>;
  /** Text that came beside the stream. */
  onText: (text: string) => void;
  /** How long to wait before it is opened again (milliseconds). @param tries in vain so far */
  waitBefore: (tries: number) => number;
}

/** `unsupported`: this browser has no media source extensions. */
export type LiveFailure = 'unsupported' | 'decode';

interface Listener {
  /** Its WebSocket is open, or not any more. */
  onOpen(open: boolean): void;
  /** There is something new to play: the element has been given it. */
  onStream(): void;
  onFailure(why: LiveFailure): void;
}

export interface LiveEngine {
  /** Somebody paused, or plays on: what comes during a long pause is not kept. */
  pause(paused: boolean): void;
  destroy(): void;
}

/** Closed by the server for another stream: opened again at once. */
const ANEW = 4410;
/** Streams in a row that broke within this time before it is said that they cannot be played (milliseconds). */
const SOON = 5000;
const MOST_BROKEN = 4;
/** A pause after which nothing more is kept (milliseconds). */
const KEPT_IN_PAUSE = 20_000;
/** A WebSocket that stood so long was no try in vain (milliseconds). */
const STOOD = 10_000;

const CONFIG: Partial<Mpegts.Config> = {
  // The page's policy allows no script made from text.
  ...{ enableWorker: false, enableWorkerForMSE: false },
  // What is near the newest picture is ours to decide (rules/live/live-edge.ts).
  ...{ liveBufferLatencyChasing: false, liveSync: false, lazyLoad: false, enableStashBuffer: false },
  ...{ autoCleanupSourceBuffer: true, autoCleanupMaxBackwardDuration: 60, autoCleanupMinBackwardDuration: 30 },
  // A hidden tab is told late that it may begin.
  deferLoadAfterSourceOpen: false,
};

/**
 * Plays FLV that comes by a WebSocket, in a media element, by mpegts.js; opens it again by itself when it ends. Text in between goes to
 * the source. The right to watch is asked for before each opening.
 */
export function openLive(media: HTMLVideoElement, source: LiveSource, listener: Listener): LiveEngine {
  let gone = false;
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sleeps: ReturnType<typeof setTimeout> | undefined;
  let asleep = false;
  let tries = 0;
  let broken = 0;
  let play: { feed(bytes: ArrayBuffer): void; end(): void } | null = null;

  async function connect(): Promise<void> {
    const { default: mpegts } = await import('mpegts.js');
    if (gone) return;
    if (!mpegts.isSupported() || !mpegts.getFeatureList().mseLivePlayback) return listener.onFailure('unsupported');
    mpegts.LoggingControl.enableAll = false;
    const address = await source.open();
    if (gone || address === null) return;
    const mine = new WebSocket(address);
    mine.binaryType = 'arraybuffer';
    socket = mine;
    let openedAt = 0;
    mine.onopen = () => {
      openedAt = performance.now();
      listener.onOpen(true);
    };
    mine.onmessage = ({ data }) => {
      if (socket !== mine) return;
      if (typeof data === 'string') return source.onText(data);
      if (asleep) return;
      play ??= start(mpegts, mine);
      play.feed(data as ArrayBuffer);
    };
    mine.onclose = ({ code }) => {
      if (socket !== mine) return;
      socket = null;
      end();
      listener.onOpen(false);
      if (gone) return;
      if (code === ANEW || (openedAt > 0 && performance.now() - openedAt > STOOD)) tries = 0;
      again(code === ANEW ? Math.random() * 300 : source.waitBefore(tries));
      tries += 1;
    };
  }

  function again(wait: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      connect().catch(() => {
        // The code did not come, or the call failed: the network is away.
        tries += 1;
        if (!gone) again(source.waitBefore(tries));
      });
    }, wait);
  }

  function start(mpegts: typeof Mpegts, from: WebSocket): NonNullable<typeof play> {
    const startedAt = performance.now();
    let loader: Feed | null = null;
    const early: ArrayBuffer[] = [];
    /** Hands over what the WebSocket brings. */
    class Feed extends mpegts.BaseLoader {
      private came = 0;
      constructor() {
        super('lixue-live');
        this._needStash = true;
      }
      override open(): void {
        this._status = 2;
        loader = this;
        for (const bytes of early.splice(0)) this.take(bytes);
      }
      take(bytes: ArrayBuffer): void {
        const start = this.came;
        this.came += bytes.byteLength;
        this.onDataArrival?.(bytes, start, this.came);
      }
      override abort(): void {
        this._status = 4;
        loader = null;
      }
      override destroy(): void {
        this.abort();
        super.destroy();
      }
    }
    const player = mpegts.createPlayer(
      { type: 'flv', isLive: true, url: window.location.href },
      { ...CONFIG, customLoader: Feed as unknown as Mpegts.CustomLoaderConstructor },
    );
    player.on(mpegts.Events.ERROR, () => {
      if (play === null || gone) return;
      broken = performance.now() - startedAt < SOON ? broken + 1 : 1;
      end();
      if (broken >= MOST_BROKEN) {
        socket = null;
        from.close();
        listener.onFailure('decode');
      } else from.close();
    });
    player.attachMediaElement(media);
    player.load();
    listener.onStream();
    return {
      feed: (bytes) => {
        if (loader) loader.take(bytes);
        else early.push(bytes);
      },
      end: () => {
        loader = null;
        player.destroy();
      },
    };
  }

  function end(): void {
    const last = play;
    play = null;
    last?.end();
  }

  again(0);
  return {
    pause: (paused) => {
      clearTimeout(sleeps);
      if (paused)
        sleeps = setTimeout(() => {
          asleep = true;
          end();
        }, KEPT_IN_PAUSE);
      else if (asleep) {
        asleep = false;
        tries = 0;
        const last = socket;
        socket = null;
        last?.close();
        again(0);
      }
    },
    destroy: () => {
      gone = true;
      clearTimeout(timer);
      clearTimeout(sleeps);
      end();
      socket?.close();
      socket = null;
    },
  };
}
