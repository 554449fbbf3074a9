import { type RefCallback, useCallback, useLayoutEffect, useRef } from 'react';

/** Where something stood: in what, and behind what. */
interface Place {
  parent: HTMLElement;
  before: Element | null;
}

/**
 * Passes the keyboard on where one thing gives way to another and there is no whole around them that could take it (`useSwapFocus`): a failure with
 * 重试 to what is loading, that to what came. A whole for this alone would come between a page and the layout of its content. It moves only
 * if what went had it, to what stands in its place then. For who calls it: the component that swaps them.
 * @param control selects what takes it in what comes; null: that as a whole
 * @returns the `ref` of each thing that may have the keyboard and go
 */
export function usePassedFocus(control: string | null): RefCallback<HTMLElement> {
  const left = useRef<readonly Place[]>([]);
  // Before the eye sees it; what came has had its turn to take the focus by itself.
  useLayoutEffect(() => {
    const places = left.current;
    left.current = [];
    if (places.length === 0 || document.activeElement !== document.body) return;
    const at = places.find(({ parent }) => parent.isConnected);
    if (at === undefined) return;
    const came = standsNow(at);
    if (came !== null) focusOn((control === null ? null : came.querySelector<HTMLElement>(control)) ?? came);
    if (document.activeElement === document.body) focusOn(at.parent);
  });
  return useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    // It is still in the page here: React takes it out after this.
    return () => {
      if (element.contains(document.activeElement)) left.current = placesOf(element);
    };
  }, []);
}

/** The place of an element, and of what is around it, which may go along with it. */
function placesOf(element: HTMLElement): Place[] {
  const places: Place[] = [];
  for (let at = element; at.parentElement !== null && at !== document.body; at = at.parentElement)
    places.push({ parent: at.parentElement, before: at.previousElementSibling });
  return places;
}

function standsNow({ parent, before }: Place): HTMLElement | null {
  const now = before === null ? parent.firstElementChild : before.isConnected ? before.nextElementSibling : null;
  return now instanceof HTMLElement ? now : null;
}

function focusOn(element: HTMLElement): void {
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
