import { useSyncExternalStore } from 'react';

type ToastKind = 'good' | 'bad' | 'plain';
interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: ToastKind;
}

/** Spec §9: a toast stays 1 s in an exam and 2 s elsewhere; longer where its sentence takes longer to read (`standsFor`). */
export const examToast = 1000;
const usualToast = 2000;

/** Milliseconds in which a slow reader sees that something appeared, reads a Chinese sign, and a letter of other scripts. */
const READING = { notice: 500, sign: 200, letter: 60 };

/**
 * Milliseconds that a sentence stands, so that it can be read to its end (WCAG 2.2.1): five Chinese
 * signs or some sixteen letters a second. @param least what it stands however short it is
 */
export function standsFor(text: string, least: number): number {
  const signs = [...text].filter((sign) => /[\p{Script=Han}\u3000-\u303F\uFF00-\uFFEF]/u.test(sign)).length;
  const letters = [...text].length - signs;
  return Math.max(least, READING.notice + signs * READING.sign + letters * READING.letter);
}

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

/**
 * Shows a short sentence at the top center for `ms` milliseconds, or as long as it takes to read. What a person must decide is a dialog, and what
 * belongs to a field stands at the field. The same sentence again replaces the one that stands.
 */
export function toast(text: string, kind: ToastKind = 'plain', ms: number = usualToast): void {
  const id = nextId++;
  // Three at most: more than a person can read in two seconds helps nobody.
  set([...toasts.filter((shown) => shown.text !== text), { id, text, kind }].slice(-3));
  setTimeout(() => set(toasts.filter((shown) => shown.id !== id)), standsFor(text, ms));
}

/** The toasts that stand now, oldest first. */
export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
    () => toasts,
  );
}

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
