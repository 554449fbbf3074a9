import { type RefObject, useEffect } from 'react';

/** The wholes that are there: what goes away in one of them is its own matter, and of no other one around it. */
const wholes = new WeakSet<Element>();

/**
 * Keeps the keyboard where it was when what had it goes away: a card that is removed, a form that was sent. It moves to the part around it, else
 * to the part that stands in that place now, else to the whole. What stood outside of the parts (加载更多 under a list) had its place between them.
 * Without it a browser begins again at the top of the page.
 * @param whole stays while its parts come and go; it and its parts take the focus (`tabIndex={-1}`). One may stand in another.
 * @param parts selects the parts of a list
 */
export function useKeptFocus(whole: RefObject<HTMLElement | null>, parts: string): void {
  useEffect(() => {
    const box = whole.current;
    if (box === null) return;
    wholes.add(box);
    let last: { element: Element; part: HTMLElement | null; place: number; within: Element[] } | null = null;
    // What matches inside of a part and takes no focus, e.g. the list of its pictures, is none.
    const all = () => [...box.querySelectorAll<HTMLElement>(parts)].filter(takesFocus);
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      const part = all().findLast((one) => one.contains(target)) ?? null;
      const isBefore = (one: Element) => (one.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
      const place = part === null ? all().filter(isBefore).length : all().indexOf(part);
      last = { element: target, part, place, within: wholesBetween(target, box) };
    };
    const watcher = new MutationObserver(() => {
      if (last === null || last.element.isConnected || document.activeElement !== document.body) return;
      const { part, place, within } = last;
      if (within.some(({ isConnected }) => isConnected)) return;
      const next = part?.isConnected ? part : (all().at(place) ?? all().at(-1));
      (next ?? box).focus({ preventScroll: true });
    });
    box.addEventListener('focusin', remember);
    watcher.observe(box, { childList: true, subtree: true });
    return () => {
      box.removeEventListener('focusin', remember);
      watcher.disconnect();
      wholes.delete(box);
    };
  }, [whole, parts]);
}

const takesFocus = (element: HTMLElement) => element.tabIndex >= 0 || element.hasAttribute('tabindex');

/** The wholes in which something stands inside of another one. */
function wholesBetween(element: Element, box: Element): Element[] {
  const between: Element[] = [];
  for (let at: Element | null = element; at !== null && at !== box; at = at.parentElement)
    if (wholes.has(at)) between.push(at);
  return between;
}
