import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** Fields of a form; of a group of radio buttons the one that is chosen, where Tab would come to. */
const FIELDS = 'input:not([type="hidden"], [type="radio"]:not(:checked)), textarea, select';
const CONTROLS = 'button, a[href]';

/**
 * Takes the keyboard along where one thing gives way to another in its place: a button to the form that it opens, the form to the button again, a
 * payment to its result. It moves to what says `data-takes-focus`, else to the first field, else to the first button or link, else to the whole.
 * Without it a browser begins again at the top of the page. It moves only if what had it was in the whole and is gone. For lists see useKeptFocus.ts.
 * @param whole stays while its parts come and go, and takes the focus (`tabIndex={-1}`)
 * @param shown what stands in it now
 */
export function useSwapFocus(whole: RefObject<HTMLElement | null>, shown: string | number | boolean | null): void {
  const before = useRef(shown);
  const last = useRef<Element | null>(null);
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      last.current = target instanceof Element && whole.current?.contains(target) ? target : null;
    };
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  }, [whole]);
  // Before the eye sees it, and before a dialog that opens at the same moment notes where the keyboard was.
  useLayoutEffect(() => {
    const changed = before.current !== shown;
    before.current = shown;
    const box = whole.current;
    if (!changed || box === null || document.activeElement !== document.body) return;
    if (last.current === null || last.current.isConnected) return;
    const place = ['[data-takes-focus]', FIELDS, CONTROLS].map((one) => box.querySelector<HTMLElement>(one));
    place.find((one) => one !== null)?.focus();
    // One that waits takes no focus.
    if (document.activeElement === document.body) box.focus();
  }, [whole, shown]);
}
