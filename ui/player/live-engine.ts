import type Mpegts from 'mpegts.js';
import { type NativeLive, nativeLive } from './native-live.ts';

/** The form in which a stream comes: as FLV by its WebSocket, or as HLS beside it, for browsers that have nothing to put FLV into. */
type LiveForm = 'flv' | 'hls';

/** Where a live stream comes from. */
export interface LiveSource {
  /**
   * Waits for the right to watch. HLS needs it for each piece: it is asked for again while it plays.
   * @returns the address of its WebSocket, and of its playlist; null: it cannot be watched now, of which whoever asked for it tells
   */
  open: (form: LiveForm) => Promise<{ socket: string; playlist: string } | null>;
  /** Text that came beside the stream. */
  onText: (text: string) => void;
  /** How long to wait before it is opened again (milliseconds). @param tries in vain so far */
  waitBefore: (tries: number) => number;
}

/** `unsupported`: this browser has neither media source extensions nor HLS of its own. */
export type LiveFailure = 'unsupported' | 'decode';

interface Listener {
  /** Its WebSocket is open, or not any more. */
  onOpen(open: boolean): void;
  /** There is something new to play: the element has been given it. */
  onStream(): void;
  onFailure(why: LiveFailure): void;
}

export interface LiveEngine {
  /** The browser itself decides what is loaded: it is neither hurried nor moved but by whoever asks for it. */
  readonly isNative: boolean;
  /** Whether there is anything to play now. */
  comes(live: boolean): void;
  /** Somebody paused, or plays on: what comes during a long pause is not kept. */
  pause(paused: boolean): void;
  destroy(): void;
}

/** Closed by the server for another stream: opened again at once. */
const ANEW = 4410;
/** Closed since nobody may watch any more. */
const NOT_ALLOWED = 4403;
/** How often the right to fetch HLS is asked for again (milliseconds): far sooner than it ends. */
const RENEW_EVERY = 120_000;
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

/** Whether this browser has to play HLS by itself: an iPhone before iOS 17.1, or what is built on its web view. */
function isForNative(media: HTMLVideoElement): boolean {
  if ('MediaSource' in window || 'ManagedMediaSource' in window) return false;
  return media.canPlayType('application/vnd.apple.mpegurl') !== '';
}

/**
 * Plays FLV that comes by a WebSocket, in a media element, by mpegts.js; opens it again by itself when it ends. Text in between goes to
 * the source. The right to watch is asked for before each opening. Where there are no media source extensions the element plays HLS, and
 * the WebSocket brings the text alone.
 */
export function openLive(media: HTMLVideoElement, source: LiveSource, listener: Listener): LiveEngine {
  let gone = false;
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sleeps: ReturnType<typeof setTimeout> | undefined;
  let asleep = false;
  let tries = 0;
  let broken = 0;
  const isNative = isForNative(media);
  let native: NativeLive | null = null;
  let renews: ReturnType<typeof setInterval> | undefined;
  let live = false;
  let stands = false;
  let play: { feed(bytes: ArrayBuffer): void; end(): void } | null = null;

  async function connect(): Promise<void> {
    const mpegts = isNative ? null : (await import('mpegts.js')).default;
    if (gone) return;
    if (mpegts) {
      if (!mpegts.isSupported() || !mpegts.getFeatureList().mseLivePlayback) return listener.onFailure('unsupported');
      mpegts.LoggingControl.enableAll = false;
    }
    const opened = await source.open(isNative ? 'hls' : 'flv');
    if (gone) return;
    if (opened === null) return endNative();
    const mine = new WebSocket(opened.socket);
    mine.binaryType = 'arraybuffer';
    socket = mine;
    let openedAt = 0;
    mine.onopen = () => {
      openedAt = performance.now();
      listener.onOpen(true);
      stands = true;
      if (isNative) startNative(opened.playlist);
      tellNative();
    };
    mine.onmessage = ({ data }) => {
      if (socket !== mine) return;
      if (typeof data === 'string') return source.onText(data);
      if (asleep || mpegts === null) return;
      play ??= start(mpegts, mine);
      play.feed(data as ArrayBuffer);
    };
    mine.onclose = ({ code }) => {
      if (socket !== mine) return;
      socket = null;
      stands = false;
      end();
      // A server that is away says nothing of what the element plays; what fails meanwhile is loaded when it is back.
      if (code === NOT_ALLOWED) endNative();
      else tellNative();
      listener.onOpen(false);
      if (gone) return;
      if (code === ANEW || (openedAt > 0 && performance.now() - openedAt > STOOD)) tries = 0;
      again(code === ANEW ? Math.random() * 300 : source.waitBefore(tries));
      tries += 1;
    };
  }

  function startNative(playlist: string): void {
    if (native !== null) return;
    native = nativeLive(media, playlist, {
      onStream: listener.onStream,
      onFailure: () => {
        endNative();
        const last = socket;
        socket = null;
        last?.close();
        listener.onFailure('decode');
      },
      waitBefore: source.waitBefore,
    });
    renews = setInterval(() => {
      source.open('hls').then(
        (opened) => (opened === null ? endNative() : undefined),
        // The network is away: it is asked for again when it is back, or by the next turn.
        () => undefined,
      );
    }, RENEW_EVERY);
  }

  function tellNative(): void {
    native?.comes(live && stands && !asleep);
  }

  function endNative(): void {
    clearInterval(renews);
    native?.destroy();
    native = null;
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
    isNative,
    comes: (comes) => {
      live = comes;
      tellNative();
    },
    pause: (paused) => {
      clearTimeout(sleeps);
      if (paused)
        sleeps = setTimeout(() => {
          asleep = true;
          end();
          native?.sleep();
        }, KEPT_IN_PAUSE);
      else if (asleep) {
        asleep = false;
        if (native !== null) return tellNative();
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
      endNative();
      socket?.close();
      socket = null;
    },
  };
}
