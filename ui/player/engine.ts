import type Hls from 'hls.js/light';
import { type EarlyPart, fetchEarly, firstPart, headStart } from './head-start.ts';
import { loadedFrom } from './loaded.ts';
import { nativeEngine } from './native-engine.ts';
import { waitAfterFailure } from './retry.ts';
import type { Engine, Failure, Listener, Opening, Quality, Source } from './source.ts';

/** Parts in a row that are no film before it is said: hls.js would ask for them in every quality, again and again, as fast as it can. */
const BROKEN_PARTS = 6;
/** Answers that say that the film is not there: no network of its student is to blame (spec §8 code 3). */
const GONE: ReadonlySet<number> = new Set([404, 410]);
/** The settings of the product spec §9. */
const SPEC = { startLevel: 2, maxBufferLength: 10, maxBufferSize: 41_943_040, maxMaxBufferLength: 30 } as const;
/** Milliseconds after which the qualities are told though nothing can be played: another one may be had. */
const QUALITIES_LATEST = 1500;
/** Events of the element at which somebody who stands paused wants more of the film than is loaded. */
const WANTS = ['play', 'seeking'] as const;
/** The tries of hls.js itself before it tells of a failure. */
const TRIES = { maxNumRetry: 2, retryDelayMs: 500, maxRetryDelayMs: 2000 };
const LOADING = {
  default: { maxTimeToFirstByteMs: 10_000, maxLoadTimeMs: 60_000, timeoutRetry: TRIES, errorRetry: TRIES },
};

const load = () => import('hls.js/light');

/** Fetches what plays films, before there is one. Where that fails it is fetched again with the film. */
export function fetchEngine(): void {
  load().catch(() => undefined);
}

/**
 * Loads a source by hls.js, or by the browser itself where that has no media source extensions (iPhone). The element is made ready
 * while the right to play is on its way.
 * @param begins where it begins, seconds: asked when there is something to begin with, since somebody may have jumped meanwhile
 */
export async function openEngine(
  media: HTMLMediaElement,
  source: Source,
  begins: () => number,
  listener: Listener,
): Promise<Engine> {
  const prepared = 'MediaSource' in window || 'ManagedMediaSource' in window ? prepare(source, begins) : null;
  // Whoever waits for it below is told.
  prepared?.catch(() => undefined);
  const { default: Hls } = await load().catch((error: unknown) => {
    if (prepared !== null) giveUp(prepared);
    throw error;
  });
  if (prepared !== null && Hls.isSupported()) return hlsEngine(Hls, media, source, prepared, begins, listener);
  if (prepared !== null) giveUp(prepared);
  return nativeEngine(media, source, begins, listener);
}

/** What there is to begin with. */
interface Prepared {
  opening: Opening;
  part: EarlyPart | null;
}

/** Waits for the right to play, and asks for the first part the moment it is there: hls.js may still be on its way, or not read yet. */
async function prepare({ open, headers }: Source, begins: () => number): Promise<Prepared | null> {
  const opening = await open();
  if (opening === null) return null;
  const address = partAt(opening, begins());
  return { opening, part: address === null ? null : fetchEarly(address, headers?.() ?? {}, LOADING.default) };
}

/** Nobody plays it: its first part is not fetched any further. */
function giveUp(prepared: Promise<Prepared | null>): void {
  prepared.then((ready) => ready?.part?.stop.abort()).catch(() => undefined);
}

/** The address of the part at a place, in seconds; null: the list of parts did not come along, or has none there. */
function partAt({ known, begins: list = '' }: Opening, from: number): string | null {
  const parts = known?.get(list);
  return typeof parts === 'string' ? firstPart(parts, list, from) : null;
}

function hlsEngine(
  Player: typeof Hls,
  media: HTMLMediaElement,
  { headers, renew }: Source,
  prepared: Promise<Prepared | null>,
  begins: () => number,
  listener: Listener,
): Engine {
  const { Events, ErrorTypes } = Player;
  let failures = 0;
  let broken = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let gone = false;
  /** Its list of qualities, once that was asked for; null before. */
  let url: string | null = null;
  const ahead = headStart(Player);
  const player = new Player({
    ...SPEC,
    fragLoadPolicy: LOADING,
    keyLoadPolicy: LOADING,
    loader: ahead.Loader,
    // The page's policy allows no worker made from text; what is decrypted is, off the main thread, by the browser.
    enableWorker: false,
    xhrSetup: (request) => {
      for (const [name, value] of Object.entries(headers?.() ?? {})) request.setRequestHeader(name, value);
    },
  });
  /** What tries again at once, and what only when somebody wants more of the film, are one try: the first of them. */
  const forgetTry = () => {
    clearTimeout(timer);
    for (const want of WANTS) media.removeEventListener(want, tryAnew);
  };
  const again = () => {
    forgetTry();
    broken = 0;
    if (media.error) player.recoverMediaError();
    // The list itself did not come: hls.js asks for it by its address alone.
    if (url !== null && player.levels.length === 0) {
      player.config.startPosition = begins() > 0 ? begins() : -1;
      return player.loadSource(url);
    }
    // Where nothing of it came yet hls.js knows no place, and would begin at the beginning.
    player.startLoad(media.readyState === HTMLMediaElement.HAVE_NOTHING && begins() > 0 ? begins() : -1);
  };
  const tryAnew = () => {
    failures = 0;
    again();
  };
  /** @param said what it is called where no try helped */
  const retry = (why: Failure, said = why) => {
    // Without a network nothing has failed yet: it goes on when that is back.
    if (gone || !navigator.onLine) return;
    const { currentTime, paused } = media;
    const wait = waitAfterFailure({ failures, why, ahead: loadedFrom(media, currentTime) - currentTime, paused });
    if (wait === null) {
      listener.onFailure(said);
      return;
    }
    failures += 1;
    forgetTry();
    if (wait !== 'wanted') timer = setTimeout(again, wait);
    else for (const want of WANTS) media.addEventListener(want, tryAnew);
  };
  /** With a new right: at once, but where that was refused too, as after any failure. */
  const goOn = () => {
    if (failures > 0) return retry('network');
    failures = 1;
    again();
  };
  window.addEventListener('online', tryAnew);
  // Their menu is not made while the film is waited for.
  let qualities: Quality[] | null = null;
  let tellLater: ReturnType<typeof setTimeout> | undefined;
  const tellQualities = () => {
    clearTimeout(tellLater);
    if (qualities !== null) listener.onQualities(qualities);
    qualities = null;
  };
  media.addEventListener('canplay', tellQualities);
  player.on(Events.MANIFEST_PARSED, (_event, { levels }) => {
    qualities = levels.map(({ width, height }, index) => ({ index, height: Math.min(width, height) }));
    tellLater = setTimeout(tellQualities, QUALITIES_LATEST);
  });
  player.on(Events.LEVEL_SWITCHED, (_event, { level }) => listener.onQuality(level));
  player.on(Events.FRAG_BUFFERED, () => {
    failures = 0;
  });
  // A part in which nothing was found counts as buffered, too; only what was really appended is film.
  player.on(Events.BUFFER_APPENDED, () => {
    broken = 0;
  });
  player.on(Events.ERROR, (_event, { fatal, type, details, response }) => {
    const refused = response?.code === 401 || response?.code === 403;
    if (refused && renew) {
      player.stopLoad();
      void renew().then(
        (renewed) => (renewed ? goOn() : listener.onFailure('network')),
        () => retry('network'),
      );
      return;
    }
    if (!fatal) {
      if (type === ErrorTypes.NETWORK_ERROR || !details.startsWith('frag')) return;
      broken += 1;
      if (broken !== BROKEN_PARTS) return;
      player.stopLoad();
      listener.onFailure('decode');
      return;
    }
    if (type === ErrorTypes.MEDIA_ERROR) {
      if (failures >= 2) listener.onFailure('decode');
      else {
        failures += 1;
        player.recoverMediaError();
      }
      return;
    }
    const isGone = GONE.has(response?.code ?? 0);
    retry(type === ErrorTypes.NETWORK_ERROR ? 'network' : 'decode', isGone ? 'decode' : undefined);
  });
  const attached = new Promise<void>((resolve) => {
    player.once(Events.MEDIA_ATTACHED, () => resolve());
  });
  player.attachMedia(media);
  listener.onAttached();
  const begin = async () => {
    const ready = await prepared;
    if (ready === null) return;
    // What it is given before that would only wait, and be in the way of what makes the element ready.
    await attached;
    if (gone) return;
    const { opening } = ready;
    const from = begins();
    player.config.startPosition = from > 0 ? from : -1;
    const shown = new Promise<void>((resolve) => {
      media.addEventListener('canplay', () => resolve(), { once: true });
    });
    let { part } = ready;
    // Somebody jumped meanwhile: it begins with another one, which is asked for as any other.
    if (part !== null && part.address !== partAt(opening, from)) {
      part.stop.abort();
      part = null;
    }
    ahead.give(opening.known ?? new Map(), part, shown);
    // For whoever measures how soon it plays (bench/play-start.ts).
    performance.mark('film:load');
    url = opening.url;
    player.loadSource(url);
  };
  begin().catch(() => listener.onFailure('network'));
  return {
    chooseQuality: (index) => {
      player.nextLevel = index;
    },
    // A list that is on its way has a limit of its own.
    nudge: () => {
      if (player.levels.length > 0) again();
    },
    reopen: tryAnew,
    destroy: () => {
      gone = true;
      forgetTry();
      clearTimeout(tellLater);
      media.removeEventListener('canplay', tellQualities);
      window.removeEventListener('online', tryAnew);
      giveUp(prepared);
      ahead.drop();
      player.destroy();
    },
  };
}
