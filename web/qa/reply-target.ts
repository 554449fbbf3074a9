import { useId, useSyncExternalStore } from 'react';

/*
 * The entry that is followed up just now, one in the page (spec §4: it is set on 追问, and cleared on close, on submit, and
 * when the question input is opened, spec §2). What was begun to another one stays its draft.
 */
interface Target {
  /** The same question may stand in two lists of a page: the editor opens where it was asked for. */
  place: string;
  entryId: number;
  /** Somebody pressed 追问; else it stands open for what they had begun, and takes the keyboard from nowhere. */
  asked: boolean;
}
let target: Target | null = null;
const watching = new Set<() => void>();

function setTarget(next: Target | null): void {
  target = next;
  for (const tell of [...watching]) tell();
}

function subscribe(tell: () => void): () => void {
  watching.add(tell);
  return () => {
    watching.delete(tell);
    // No list stands any more: who comes back begins anew.
    if (watching.size === 0) target = null;
  };
}

/** Nothing is followed up any more. */
export const clearReplyTarget = () => setTarget(null);

/** For one question in one list: the entry of it that is followed up just now (null: none), and how to follow up on one. */
export function useReplyTarget() {
  const place = useId();
  const current = useSyncExternalStore(subscribe, () => (target?.place === place ? target : null));
  return {
    target: current?.entryId ?? null,
    asked: current?.asked ?? false,
    followUp: (entryId: number) => setTarget({ place, entryId, asked: true }),
    /** As `followUp`, by itself, unless something else is followed up. */
    goOn: (entryId: number) => target ?? setTarget({ place, entryId, asked: false }),
  };
}
