import { useSyncExternalStore } from 'react';
import { rememberFocus } from './focus.ts';

interface Question {
  title: string;
  /** One or two sentences; what will happen. */
  text?: string;
  /** What one should know of it, under the text: a name and what it has. `lang`: of the name, where it is not the page's. */
  facts?: readonly { name: string; value: string; lang?: string | undefined }[];
  /** The word on the button that does it; a verb. */
  yes: string;
  no?: string;
  /** The button that does it destroys something. */
  danger?: boolean;
  /** Nothing is destroyed, but Enter out of habit must not do it either: the dialog opens on the other button. */
  careful?: boolean;
}
export interface OpenQuestion extends Question {
  answer(yes: boolean): void;
  /** Brings the keyboard back to where it was before the question. */
  refocus(): void;
}

let open: OpenQuestion | null = null;
const listeners = new Set<() => void>();

/**
 * Asks in a dialog and resolves to the answer; Escape, a click outside and the back of the page mean no. A second
 * question while one is open answers the first with no. Focus goes back to where it was.
 */
export function confirm(question: Question): Promise<boolean> {
  open?.answer(false);
  const refocus = rememberFocus();
  return new Promise((resolve) => {
    open = {
      ...question,
      refocus,
      answer(yes) {
        set(null);
        resolve(yes);
      },
    };
    set(open);
  });
}

/** The question that waits for its answer, or null: for the one host that shows it (ConfirmHost.tsx). */
export function useOpenQuestion(): OpenQuestion | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
    () => open,
  );
}

function set(next: OpenQuestion | null): void {
  open = next;
  for (const listener of listeners) listener();
}
