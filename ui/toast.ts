import { useSyncExternalStore } from 'react';

type ToastKind = 'good' | 'bad' | 'plain';
interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: ToastKind;
}

/** Spec §9: a toast stays 1 s in an exam and 2 s elsewhere. */
export const examToast = 1000;
const usualToast = 2000;

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

/**
 * Shows a short sentence at the top center for `ms` milliseconds. What a person must decide is a dialog, and what
 * belongs to a field stands at the field. The same sentence again replaces the one that stands.
 */
export function toast(text: string, kind: ToastKind = 'plain', ms: number = usualToast): void {
  const id = nextId++;
  // Three at most: more than a person can read in two seconds helps nobody.
  set([...toasts.filter((shown) => shown.text !== text), { id, text, kind }].slice(-3));
  setTimeout(() => set(toasts.filter((shown) => shown.id !== id)), ms);
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
