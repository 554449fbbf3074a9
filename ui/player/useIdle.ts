import { type RefObject, useEffect, useState } from 'react';

/** Milliseconds without a pointer or a key after which the controls go. */
const IDLE_AFTER = 3000;

/** Whether nobody has touched an element for a while, so that what lies over its picture may go; never while `active` is false. */
export function useIdle(element: RefObject<HTMLElement | null>, active: boolean): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    const place = element.current;
    if (place === null || !active) {
      setIdle(false);
      return;
    }
    let timer: ReturnType<typeof setTimeout>;
    const wake = () => {
      setIdle(false);
      clearTimeout(timer);
      timer = setTimeout(() => setIdle(true), IDLE_AFTER);
    };
    wake();
    const events = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;
    for (const name of events) place.addEventListener(name, wake);
    return () => {
      clearTimeout(timer);
      for (const name of events) place.removeEventListener(name, wake);
    };
  }, [element, active]);
  return idle;
}
