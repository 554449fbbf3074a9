import { useSyncExternalStore } from 'react';
import { recall, remember } from '#web/lib/remember.ts';

const NAME = 'exam.letterKeys';
const listeners = new Set<() => void>();
let on: boolean | null = null;

/**
 * Whether letters, numbers and ? act on the question screen (A chooses, M marks). Who dictates, or lets a key slip, turns
 * them off (WCAG 2.1.4); Tab, arrows, Space and Enter go on acting. Remembered in this browser.
 */
export function letterKeysAct(): boolean {
  on ??= recall(NAME) !== 'off';
  return on;
}

/** `letterKeysAct`, drawn anew when it changes. */
export function useLetterKeys(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, letterKeysAct);
}

/** Turns them on or off. */
export function setLetterKeys(next: boolean): void {
  on = next;
  remember(NAME, next ? null : 'off');
  for (const listener of listeners) listener();
}
