/** A live stream that a media element plays as HLS, by itself. */
export interface NativeLive {
  /** Whether there is anything to play: what stands still meanwhile does so rightly. */
  comes(live: boolean): void;
  /** Loads nothing more until something comes again. */
  sleep(): void;
  destroy(): void;
}

interface Told {
  /** The element has been given the stream, anew after each break. */
  onStream(): void;
  /** It cannot be played, however often it is tried. */
  onFailure(): void;
  /** How long to wait before it is loaded again (milliseconds). @param tries in vain so far */
  waitBefore(tries: number): number;
}

/** How often it is looked whether it moves (milliseconds). */
const LOOK_EVERY = 1000;
/** It stands so long though it should play (milliseconds): the element gave up without a word. */
const STANDS_AFTER = 12_000;
/** A server that has just begun to make the stream takes so long to the first picture (milliseconds). */
const FIRST_WITHIN = 30_000;
const MOST_BROKEN = 6;

/**
 * Plays a playlist without an end in an element that knows HLS. Such an element stops for good at a playlist that did not change for
 * a while, or was refused once, often without an event: it is given the stream again where it stands still.
 */
export function nativeLive(media: HTMLVideoElement, playlist: string, told: Told): NativeLive {
  let live = false;
  let loaded = false;
  let broken = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let place = 0;
  let movedAt = 0;
  let moved = false;

  function load(): void {
    // One that waits would load it once more, even after its end.
    clearTimeout(timer);
    timer = undefined;
    loaded = true;
    moved = false;
    place = 0;
    movedAt = performance.now();
    media.src = playlist;
    media.load();
    told.onStream();
  }

  function unload(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!loaded) return;
    loaded = false;
    media.removeAttribute('src');
    media.load();
  }

  function again(): void {
    if (timer !== undefined || !live) return;
    broken += 1;
    if (broken > MOST_BROKEN) told.onFailure();
    else timer = setTimeout(load, told.waitBefore(broken));
  }

  const onError = () => {
    if (loaded && media.error !== null) again();
  };
  const look = () => {
    const now = performance.now();
    if (media.currentTime !== place) {
      if (moved) broken = 0;
      moved = true;
      place = media.currentTime;
      movedAt = now;
    }
    if (!live || !loaded || media.paused) movedAt = now;
    else if (media.ended || now - movedAt > (moved ? STANDS_AFTER : FIRST_WITHIN)) again();
  };
  media.addEventListener('error', onError);
  const looks = setInterval(look, LOOK_EVERY);

  return {
    comes: (comes) => {
      const begins = comes && !live;
      live = comes;
      if (!begins) return;
      movedAt = performance.now();
      broken = 0;
      // What broke while nothing came is loaded anew; what only stands goes on by itself.
      if (!loaded || media.error !== null) load();
    },
    sleep: () => {
      live = false;
      unload();
    },
    destroy: () => {
      clearInterval(looks);
      media.removeEventListener('error', onError);
      live = false;
      unload();
    },
  };
}
