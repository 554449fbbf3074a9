import { useSyncExternalStore } from 'react';

/** As in the style sheets: a page at 400% (320 by 256 pixels), a phone on its side. */
const query = () => window.matchMedia('(max-width: 64em) and (max-height: 30em)');

/** Whether the window is so short that nothing stays in place while the page scrolls. */
export const isShortWindow = (): boolean => query().matches;

/** `isShortWindow`, drawn anew when it changes. */
export function useShortWindow(): boolean {
  return useSyncExternalStore((listener) => {
    const short = query();
    short.addEventListener('change', listener);
    return () => short.removeEventListener('change', listener);
  }, isShortWindow);
}
