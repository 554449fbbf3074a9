import type { Engine, Failure, Listener, Source } from './source.ts';

/** Seconds within which a film that fails again has not gone on: its parts have three. */
const STILL_THERE = 10;

/**
 * Loads a source by the browser itself, as on an iPhone. It says of no failure whether the server refused: a new right to play is tried first.
 * @param begins where it is or goes on, seconds
 */
export function nativeEngine(
  media: HTMLMediaElement,
  { open, renew }: Source,
  begins: () => number,
  listener: Listener,
): Engine {
  let gone = false;
  /** Where a new right was tried last (seconds); null: nowhere yet. */
  let renewedAt: number | null = null;
  const fail = (why: Failure) => {
    if (!gone) listener.onFailure(why);
  };
  const nudge = () => {
    const plays = !media.paused;
    media.load();
    // Until it is loaded this is where it says to be.
    media.currentTime = begins();
    if (plays) void media.play().catch(() => undefined);
  };
  const onLoaded = () => {
    const from = begins();
    if (from > 0) media.currentTime = from;
  };
  const onError = () => {
    const code = media.error?.code;
    if (code === MediaError.MEDIA_ERR_DECODE) return fail('decode');
    if (code !== MediaError.MEDIA_ERR_NETWORK && code !== MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED) return;
    const place = begins();
    // Where a new right has just not helped, another one does not.
    if (renew === undefined || (renewedAt !== null && Math.abs(place - renewedAt) < STILL_THERE))
      return fail('network');
    renewedAt = place;
    renew().then(
      (granted) => {
        if (!granted) fail('network');
        else if (!gone) nudge();
      },
      () => fail('network'),
    );
  };
  media.addEventListener('loadedmetadata', onLoaded);
  media.addEventListener('error', onError);
  const begin = async () => {
    const opening = await open();
    if (opening === null || gone) return;
    media.src = opening.url;
    listener.onAttached();
  };
  begin().catch(() => fail('network'));
  return {
    chooseQuality: () => undefined,
    nudge,
    reopen: () => {
      renewedAt = null;
      nudge();
    },
    destroy: () => {
      gone = true;
      media.removeEventListener('loadedmetadata', onLoaded);
      media.removeEventListener('error', onError);
      media.removeAttribute('src');
      media.load();
    },
  };
}
