import { type RefObject, useEffect } from 'react';

/** Pixels a sixtieth of a second (spec §9). */
const SPEED = 0.3;
/** Milliseconds between looks at whether it still can be seen. */
const LOOK_EVERY = 1000;
/** Said by the element itself and above all style sheets, so that none hides it. */
const STYLE = [
  ...['position:absolute', 'left:0', 'top:0', 'z-index:3', 'display:block', 'visibility:visible', 'opacity:.42'],
  ...['pointer-events:none', 'white-space:nowrap', 'color:#fff', 'font-size:14px', 'line-height:20px', 'height:20px'],
  ...['width:max-content', 'clip-path:none', 'filter:none', 'text-shadow:0 0 3px rgb(0 0 0 / 70%)'],
]
  .map((property) => `${property} !important`)
  .join(';');

/**
 * Lets a text drift over the stage and come back where it is taken away or hidden. It keeps honest people honest: whoever can change
 * the page can film the screen as well.
 */
export function useWatermark(stage: RefObject<HTMLElement | null>, text: string | undefined): void {
  useEffect(() => {
    const place = stage.current;
    if (place === null || !text) return;
    let mark = document.createElement('div');
    let frame = 0;
    let last = performance.now();
    let x = place.clientWidth * Math.random();
    let line = Math.random();
    const put = () => {
      mark.remove();
      mark = document.createElement('div');
      mark.textContent = text;
      mark.setAttribute('aria-hidden', 'true');
      mark.dataset.watermark = '';
      place.append(mark);
      move();
    };
    const move = () => {
      // Each property is said again with every step: one that was changed from outside lasts no longer than a frame.
      mark.style.cssText = STYLE;
      const y = line * Math.max(0, place.clientHeight - 20);
      mark.style.setProperty('transform', `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`, 'important');
    };
    const step = (now: number) => {
      // A hidden tab draws no frames: what it missed is not made up for.
      x += Math.min(now - last, 100) * ((SPEED * 60) / 1000);
      last = now;
      if (x > place.clientWidth) {
        x = -mark.offsetWidth;
        line = Math.random();
      }
      move();
      frame = requestAnimationFrame(step);
    };
    const look = () => {
      if (mark.parentNode !== place || mark.textContent !== text) put();
    };
    const observer = new MutationObserver(look);
    put();
    observer.observe(place, { childList: true });
    const timer = setInterval(look, LOOK_EVERY);
    // Until there is a picture under it, it stands: each of its steps is a frame that is drawn while the film is made ready.
    const film = place.querySelector('video');
    const drift = () => {
      last = performance.now();
      frame = requestAnimationFrame(step);
    };
    if (film === null || film.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) drift();
    else film.addEventListener('loadeddata', drift, { once: true });
    return () => {
      film?.removeEventListener('loadeddata', drift);
      observer.disconnect();
      clearInterval(timer);
      cancelAnimationFrame(frame);
      mark.remove();
    };
  }, [stage, text]);
}
