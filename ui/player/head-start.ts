import type { HlsConfig, Loader, LoaderCallbacks, LoaderConfiguration, LoaderContext } from 'hls.js';
import type Hls from 'hls.js/light';

/** What came along with the right to play: whole answers, by the address that the player would ask. */
export type Known = ReadonlyMap<string, string | ArrayBuffer>;

/** Tolerance with which hls.js begins at the next part, where a place lies at the end of one (`maxFragLookUpTolerance`, seconds). */
const TOLERANCE = 0.25;

/**
 * The address of the part that plays first.
 * @param playlist of one quality (RFC 8216); its parts are named relative to `base`
 * @param from seconds
 * @returns null: there is none there
 */
export function firstPart(playlist: string, base: string, from: number): string | null {
  let end = 0;
  for (const [, duration, part] of playlist.matchAll(/#EXTINF:([\d.]+),[^\n]*\n([^#\n][^\n]*)/g)) {
    end += Number(duration);
    if (part !== undefined && end - TOLERANCE > from) return new URL(part, base).href;
  }
  return null;
}

type LoaderClass = new (config: HlsConfig) => Loader<LoaderContext>;

/** A part that is on its way before hls.js asks for it. */
interface Early {
  address: string;
  stop: AbortController;
  /** When it was asked for, when its first and its last byte came; null: it did not come, and is asked for as any other. */
  came: Promise<{ data: ArrayBuffer; start: number; first: number; end: number } | null>;
}

/** Answers hls.js with what is here already, or on its way; all else is asked for by its own loader. */
interface HeadStart {
  Loader: LoaderClass;
  /** Takes in what came along, each to be given once, and fetches a part that will be asked for. */
  give(known: Known, part: string | null, headers: Record<string, string>): void;
  /** Gives up what is on its way. */
  drop(): void;
}

/**
 * Begins a film without asking for list, quality, key and part one after the other: hls.js gets the first three from what came
 * with the right to play, while the part is on its way.
 */
export function headStart(Player: typeof Hls): HeadStart {
  const Base: LoaderClass = Player.DefaultConfig.loader;
  const known = new Map<string, string | ArrayBuffer>();
  let early: Early | null = null;

  class Ahead extends Base {
    #left = false;
    #tellLeft: (() => void) | undefined;
    override load(
      context: LoaderContext,
      config: LoaderConfiguration,
      callbacks: LoaderCallbacks<LoaderContext>,
    ): void {
      const { url } = context;
      const here = known.get(url);
      const coming = early?.address === url ? early.came : null;
      if (here === undefined && coming === null) {
        super.load(context, config, callbacks);
        return;
      }
      known.delete(url);
      if (coming !== null) early = null;
      this.context = context;
      this.#tellLeft = () => callbacks.onAbort?.(this.stats, context, null);
      const now = performance.now();
      // hls.js judges the line by how long a part took.
      const answer = coming ?? Promise.resolve({ data: here ?? '', start: now, first: now, end: now });
      void answer.then((found) => {
        if (this.#left) return;
        this.#tellLeft = undefined;
        if (found === null) return super.load(context, config, callbacks);
        const { data, ...times } = found;
        Object.assign(this.stats.loading, times);
        this.stats.loaded = typeof data === 'string' ? data.length : data.byteLength;
        this.stats.total = this.stats.loaded;
        callbacks.onSuccess({ url, data, code: 200 }, this.stats, context, null);
      });
    }
    override abort(): void {
      this.#left = true;
      super.abort();
      this.#tellLeft?.();
    }
    override destroy(): void {
      this.#left = true;
      super.destroy();
    }
  }

  const drop = () => {
    early?.stop.abort();
    early = null;
    known.clear();
  };
  return {
    Loader: Ahead,
    drop,
    give: (all, part, headers) => {
      drop();
      for (const [address, answer] of all) known.set(address, answer);
      if (part === null) return;
      const stop = new AbortController();
      early = { address: part, stop, came: fetched(part, headers, stop.signal).catch(() => null) };
    },
  };
}

async function fetched(
  address: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Awaited<Early['came']>> {
  const start = performance.now();
  const reply = await fetch(address, { headers, signal, credentials: 'same-origin' });
  if (!reply.ok) return null;
  const first = performance.now();
  return { data: await reply.arrayBuffer(), start, first, end: performance.now() };
}
