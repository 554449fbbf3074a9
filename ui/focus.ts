import { type FocusEvent, useEffect, useState } from 'react';

/**
 * Remembers where the keyboard is, and returns a function that brings it back there; where that is gone by then (what was asked about is deleted
 * while the dialog fades) to the nearest part around it that takes the focus. For dialogs that are mounted open:
 * the library remembers the opener only of a dialog that it has seen closed before.
 */
export function rememberFocus(): () => void {
  const before = document.activeElement;
  const places: HTMLElement[] = [];
  for (let place = before; place !== null && place !== document.body; place = place.parentElement)
    if (place instanceof HTMLElement && (place === before || place.hasAttribute('tabindex'))) places.push(place);
  return () => places.find(({ isConnected }) => isConnected)?.focus({ preventScroll: true });
}

/**
 * For the whole of a dialog: what takes the focus when it opens is in sight, also where the dialog is higher than the window (320×256, a page at 400 %). The
 * library focuses it without scrolling. What is focused later the browser shows by itself.
 */
export function showFirst({ target, currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void {
  if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)))
    target.scrollIntoView({ block: 'nearest' });
}

/** Brings the keyboard back to where it was when a dialog that is mounted open goes away. */
export function useRefocus(): void {
  const [refocus] = useState(rememberFocus);
  useEffect(() => refocus, [refocus]);
}
