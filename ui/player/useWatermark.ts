import { type RefObject, useEffect } from 'react';
import { type Drift, driftOn, pictureOn } from './watermark-place.ts';

/** Milliseconds between looks at whether it still can be seen. */
const LOOK_EVERY = 1000;
/** Said by the element itself and above all style sheets, so that none hides it. */
const STYLE = [
  ...['position:absolute', 'left:0', 'top:0', 'z-index:3', 'display:block', 'visibility:visible', 'opacity:.42'],
  ...['pointer-events:none', 'white-space:normal', 'color:#fff', 'font-size:14px', 'line-height:20px', 'height:auto'],
  ...[
    'width:max-content',
    'overflow-wrap:anywhere',
    'clip-path:none',
    'filter:none',
    'text-shadow:0 0 3px rgb(0 0 0 / 70%)',
  ],
]
  .map((property) => `${property} !important`)
  .join(';');

/**
 * Lets a text drift over the picture of a film and come back where it is taken away or hidden. It keeps honest people honest: whoever
 * can change the page can film the screen as well.
 * @param stage of the film; a stage that is made anew needs another text, or none, in between
 */
export function useWatermark(stage: RefObject<HTMLElement | null>, text: string | undefined): void {
  useEffect(() => {
    const place = stage.current;
    if (place === null || !text) return;
    const film = place.querySelector('video');
    const picture = () =>
      pictureOn(
        { width: place.clientWidth, height: place.clientHeight },
        { width: film?.videoWidth ?? 0, height: film?.videoHeight ?? 0 },
      );
    let mark = document.createElement('div');
    let frame = 0;
    let last = performance.now();
    const { width, height } = picture();
    let drift: Drift = { x: width * Math.random(), y: height * Math.random(), right: true, down: true };
    const put = () => {
      mark.remove();
      mark = document.createElement('div');
      mark.textContent = text;
      mark.setAttribute('aria-hidden', 'true');
      mark.dataset.watermark = '';
      // Its own size is known when it is in its style.
      mark.style.cssText = STYLE;
      place.append(mark);
      move(0);
    };
    /** The picture is looked at with every step: the stage, the screen and the film change their sizes. */
    const move = (milliseconds: number) => {
      const { left, top, ...size } = picture();
      drift = driftOn(drift, { width: mark.offsetWidth, height: mark.offsetHeight }, size, milliseconds);
      // Each property is said again with every step: one that was changed from outside lasts no longer than a frame.
      mark.style.cssText = STYLE;
      // A name that is longer than the picture is wide has several lines.
      mark.style.setProperty('max-width', `${size.width}px`, 'important');
      const [x, y] = [left + drift.x, top + drift.y];
      mark.style.setProperty('transform', `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`, 'important');
    };
    const step = (now: number) => {
      // A hidden tab draws no frames: what it missed is not made up for.
      move(Math.min(now - last, 100));
      last = now;
      frame = requestAnimationFrame(step);
    };
    const isGone = () => mark.parentNode !== place || mark.textContent !== text;
    const observer = new MutationObserver(() => isGone() && put());
    put();
    observer.observe(place, { childList: true });
    const timer = setInterval(() => (isGone() ? put() : move(0)), LOOK_EVERY);
    // Until there is a picture under it, it stands: each of its steps is a frame that is drawn while the film is made ready.
    const begin = () => {
      last = performance.now();
      frame = requestAnimationFrame(step);
    };
    if (film === null || film.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) begin();
    else film.addEventListener('loadeddata', begin, { once: true });
    return () => {
      film?.removeEventListener('loadeddata', begin);
      observer.disconnect();
      clearInterval(timer);
      cancelAnimationFrame(frame);
      mark.remove();
    };
  }, [stage, text]);
}
