import type {
  FragmentLoaderContext,
  HlsConfig,
  Loader,
  LoaderCallbacks,
  LoaderConfiguration,
  LoaderContext,
} from 'hls.js';
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

/** Milliseconds for which the second part is held back at most. */
const HELD_LATEST = 500;

type LoaderClass = new (config: HlsConfig) => Loader<LoaderContext>;

/** How long may be waited for an answer, milliseconds: for its first byte, and for all of it. */
interface Limits {
  maxTimeToFirstByteMs: number;
  maxLoadTimeMs: number;
}

/** A part that is on its way before hls.js asks for it. */
export interface EarlyPart {
  address: string;
  stop: AbortController;
  /** When it was asked for, when its first and its last byte came; null: it did not come, and is asked for as any other. */
  came: Promise<{ data: ArrayBuffer; start: number; first: number; end: number } | null>;
}

/** Answers hls.js with what is here already, or on its way; all else is asked for by its own loader. */
interface HeadStart {
  Loader: LoaderClass;
  /**
   * Takes in what came along, and a part that will be asked for, each to be given once. The part behind it is asked for once
   * there is a picture (`shown`), half a second later at most: to fetch, decrypt and repackage it would take the processor from the first pictures.
   */
  give(known: Known, part: EarlyPart | null, shown: Promise<void>): void;
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
  let early: EarlyPart | null = null;
  /** The part behind the one that was given, by its number in the list. */
  let held: { number: number; until: Promise<void> } | null = null;
  let untilShown: Promise<void> = Promise.resolve();

  class Ahead extends Base {
    #left = false;
    #taken: AbortController | undefined;
    #tellLeft: (() => void) | undefined;
    override load(
      context: LoaderContext,
      config: LoaderConfiguration,
      callbacks: LoaderCallbacks<LoaderContext>,
    ): void {
      const { url } = context;
      const here = known.get(url);
      const taken = early?.address === url ? early : null;
      const number = numberOf(context);
      const until = number !== null && held?.number === number ? held.until : null;
      if (here === undefined && taken === null && until === null) {
        super.load(context, config, callbacks);
        return;
      }
      this.context = context;
      this.#tellLeft = () => callbacks.onAbort?.(this.stats, context, null);
      if (until !== null) {
        held = null;
        void Promise.race([until, after(HELD_LATEST)]).then(() => {
          if (this.#left) return;
          this.#tellLeft = undefined;
          super.load(context, config, callbacks);
        });
        return;
      }
      known.delete(url);
      if (taken !== null) {
        early = null;
        if (number !== null) held = { number: number + 1, until: untilShown };
      }
      this.#taken = taken?.stop;
      const asked = performance.now();
      const answer = taken?.came ?? Promise.resolve({ data: here ?? '', start: asked, first: asked, end: asked });
      void answer.then((found) => {
        if (this.#left) return;
        this.#tellLeft = undefined;
        this.#taken = undefined;
        if (found === null) {
          held = null;
          return super.load(context, config, callbacks);
        }
        const { data, start, first, end } = found;
        // hls.js judges the line by how long a part took until it was played; for how long it lay here is none of that.
        const lay = Math.max(0, asked - end);
        Object.assign(this.stats.loading, { start: start + lay, first: first + lay, end: end + lay });
        this.stats.loaded = typeof data === 'string' ? data.length : data.byteLength;
        this.stats.total = this.stats.loaded;
        callbacks.onSuccess({ url, data, code: 200 }, this.stats, context, null);
      });
    }
    override abort(): void {
      this.#leave();
      super.abort();
      this.#tellLeft?.();
    }
    override destroy(): void {
      this.#leave();
      super.destroy();
    }
    /** Nobody waits for it any more: what was still on its way goes with it. */
    #leave(): void {
      this.#left = true;
      this.#taken?.abort();
    }
  }

  const drop = () => {
    early?.stop.abort();
    early = null;
    held = null;
    known.clear();
  };
  return {
    Loader: Ahead,
    drop,
    give: (all, part, shown) => {
      drop();
      untilShown = shown;
      for (const [address, answer] of all) known.set(address, answer);
      early = part;
    },
  };
}

const after = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** The number of a part in its list, which is the same in each quality; null: it is no part. */
function numberOf(context: LoaderContext): number | null {
  const sn = 'frag' in context ? (context as FragmentLoaderContext).frag.sn : null;
  return typeof sn === 'number' ? sn : null;
}

/**
 * Asks for a part that will be played first.
 * @param limits one that takes longer is given up, and asked for as any other
 */
export function fetchEarly(address: string, headers: Record<string, string>, limits: Limits): EarlyPart {
  const stop = new AbortController();
  return { address, stop, came: fetched(address, headers, stop, limits).catch(() => null) };
}

async function fetched(
  address: string,
  headers: Record<string, string>,
  stop: AbortController,
  { maxTimeToFirstByteMs, maxLoadTimeMs }: Limits,
): Promise<Awaited<EarlyPart['came']>> {
  const start = performance.now();
  let limit = setTimeout(() => stop.abort(), maxTimeToFirstByteMs);
  try {
    const reply = await fetch(address, { headers, signal: stop.signal, credentials: 'same-origin' });
    if (!reply.ok) return null;
    const first = performance.now();
    clearTimeout(limit);
    limit = setTimeout(() => stop.abort(), maxLoadTimeMs - (first - start));
    return { data: await reply.arrayBuffer(), start, first, end: performance.now() };
  } finally {
    clearTimeout(limit);
  }
}
