import { useEffect, useState } from 'react';
import { whenResting } from './when-resting.ts';

/** Milliseconds until code that did not come is asked for again. */
const AGAIN = 3000;

/** Modules that have come, by what loads them. */
const come = new WeakMap<() => Promise<object>, object>();

/**
 * A module whose code comes later than the page, or null until it is there. While it fails (no network) it is asked for
 * again and again, so that it never takes the page with it, as a failed `lazy` does. What was asked for at once
 * and has come is there at the first drawing of whoever asks so next; what is to wait waits each time, since it waits for the page.
 * @param load `import()` of the module; the same function at each call
 * @param after milliseconds until it is first asked for, and then not while the page scrolls; null: not yet
 */
export function useLate<T extends object>(load: () => Promise<T>, after: number | null = 0): T | null {
  const [found, setFound] = useState<T | null>(() => (after === 0 && (come.get(load) as T | undefined)) || null);
  useEffect(() => {
    if (after === null || found !== null) return;
    let timer: ReturnType<typeof setTimeout>;
    let callOff: (() => void) | undefined;
    let gone = false;
    const ask = () => {
      load().then(
        (module) => {
          come.set(load, module);
          if (!gone) setFound(module);
        },
        () => {
          if (!gone) timer = setTimeout(ask, AGAIN);
        },
      );
    };
    if (after === 0) ask();
    else
      timer = setTimeout(() => {
        callOff = whenResting(ask);
      }, after);
    return () => {
      gone = true;
      clearTimeout(timer);
      callOff?.();
    };
  }, [load, after, found]);
  return found;
}
