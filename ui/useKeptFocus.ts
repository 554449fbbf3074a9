import { type RefObject, useEffect } from 'react';

/**
 * Keeps the keyboard where it was when what had it goes away: a card that is removed, a form that was sent. It moves to the part around it, else
 * to the part that stands in that place now, else to the whole. Without it a browser begins again at the top of the page.
 * @param whole stays while its parts come and go; it and its parts take the focus (`tabIndex={-1}`)
 * @param parts selects the parts of a list
 */
export function useKeptFocus(whole: RefObject<HTMLElement | null>, parts: string): void {
  useEffect(() => {
    const box = whole.current;
    if (box === null) return;
    let last: { element: Element; part: HTMLElement | null; place: number } | null = null;
    const all = () => [...box.querySelectorAll<HTMLElement>(parts)];
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      const part = target.closest<HTMLElement>(parts);
      last = { element: target, part, place: part === null ? 0 : all().indexOf(part) };
    };
    const watcher = new MutationObserver(() => {
      if (last === null || last.element.isConnected || document.activeElement !== document.body) return;
      const { part, place } = last;
      const next = part?.isConnected ? part : (all().at(place) ?? all().at(-1));
      (next ?? box).focus({ preventScroll: true });
    });
    box.addEventListener('focusin', remember);
    watcher.observe(box, { childList: true, subtree: true });
    return () => {
      box.removeEventListener('focusin', remember);
      watcher.disconnect();
    };
  }, [whole, parts]);
}
