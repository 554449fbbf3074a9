import type { Engine, Listener, Source } from './source.ts';

/** Loads a source by the browser itself, as on an iPhone. It says of no failure whether the server refused: a new right to play is tried first. */
export function nativeEngine(
  media: HTMLMediaElement,
  { open, renew }: Source,
  begins: () => number,
  listener: Listener,
): Engine {
  let gone = false;
  /** A new right was tried, and nothing has played since. */
  let renewed = false;
  let loaded = false;
  /** Where it goes on once it is loaded again, and what `begins` said then; null: it has not been loaded yet. */
  let from: { place: number; begins: number } | null = null;
  const nudge = () => {
    if (loaded) from = { place: media.currentTime, begins: begins() };
    loaded = false;
    media.load();
    void media.play().catch(() => undefined);
  };
  const onLoaded = () => {
    loaded = true;
    // Somebody may have jumped while it was loaded again.
    const place = from !== null && from.begins === begins() ? from.place : begins();
    if (place > 0) media.currentTime = place;
  };
  const onPlaying = () => {
    renewed = false;
  };
  const onError = () => {
    const code = media.error?.code;
    if (code === MediaError.MEDIA_ERR_DECODE) listener.onFailure('decode');
    else if (code === MediaError.MEDIA_ERR_NETWORK || code === MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED) {
      if (renewed || renew === undefined) listener.onFailure('network');
      else {
        renewed = true;
        renew().then(
          (granted) => {
            if (gone) return;
            if (granted) nudge();
            else listener.onFailure('network');
          },
          () => listener.onFailure('network'),
        );
      }
    }
  };
  media.addEventListener('loadedmetadata', onLoaded);
  media.addEventListener('playing', onPlaying);
  media.addEventListener('error', onError);
  const begin = async () => {
    const opening = await open();
    if (opening === null || gone) return;
    media.src = opening.url;
    listener.onAttached();
  };
  begin().catch(() => listener.onFailure('network'));
  return {
    chooseQuality: () => undefined,
    nudge,
    reopen: () => {
      renewed = false;
      nudge();
    },
    destroy: () => {
      gone = true;
      media.removeEventListener('loadedmetadata', onLoaded);
      media.removeEventListener('playing', onPlaying);
      media.removeEventListener('error', onError);
      media.removeAttribute('src');
      media.load();
    },
  };
}
