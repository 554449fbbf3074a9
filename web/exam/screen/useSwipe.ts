import { type RefObject, useEffect, useRef } from 'react';

/** Least way of a swipe, in CSS pixels, and how much flatter than steep it has to be. */
const WAY = 64;
const FLAT = 2.2;
/** A longer touch is reading or selecting, not a swipe; milliseconds. */
const LONGEST = 700;

/**
 * Calls `onSwipe` with 1 for a swipe to the left (the next one) and -1 to the right; not where something scrolls
 * sideways, nor on an enlarged page, where a finger moves the picture. The target takes the style `touch-action: pan-y
 * pinch-zoom`, so that the browser does not read the same finger as its own "back".
 */
export function useSwipe(target: RefObject<HTMLElement | null>, onSwipe: (by: 1 | -1) => void): void {
  const call = useRef(onSwipe);
  useEffect(() => {
    call.current = onSwipe;
  });
  useEffect(() => {
    const node = target.current;
    if (!node) return;
    let from: { x: number; y: number; at: number } | null = null;
    const begin = (event: TouchEvent) => {
      const touch = event.touches[0];
      from =
        event.touches.length === 1 && touch && !enlarged() && !scrollsSideways(event.target, node)
          ? { x: touch.clientX, y: touch.clientY, at: event.timeStamp }
          : null;
    };
    const end = (event: TouchEvent) => {
      const touch = event.changedTouches[0];
      if (!from || !touch || event.timeStamp - from.at > LONGEST) return;
      const x = touch.clientX - from.x;
      const y = touch.clientY - from.y;
      from = null;
      if (Math.abs(x) < WAY || Math.abs(x) < Math.abs(y) * FLAT || (getSelection()?.toString() ?? '') !== '') return;
      call.current(x < 0 ? 1 : -1);
    };
    const followZoom = () => {
      node.style.touchAction = enlarged() ? 'auto' : 'pan-y pinch-zoom';
    };
    followZoom();
    visualViewport?.addEventListener('resize', followZoom);
    node.addEventListener('touchstart', begin, { passive: true });
    node.addEventListener('touchend', end, { passive: true });
    return () => {
      visualViewport?.removeEventListener('resize', followZoom);
      node.removeEventListener('touchstart', begin);
      node.removeEventListener('touchend', end);
    };
  });
}

const enlarged = () => (visualViewport?.scale ?? 1) > 1.05;

function scrollsSideways(target: EventTarget | null, top: HTMLElement): boolean {
  for (let node = target instanceof Element ? target : null; node && node !== top; node = node.parentElement) {
    if (node instanceof HTMLTextAreaElement || node.scrollWidth > node.clientWidth + 1) {
      const { overflowX } = getComputedStyle(node);
      if (node instanceof HTMLTextAreaElement || overflowX === 'auto' || overflowX === 'scroll') return true;
    }
  }
  return false;
}
